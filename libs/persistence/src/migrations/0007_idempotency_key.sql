ALTER TABLE "runs" ADD COLUMN "idempotency_key" text;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "request_hash" text;--> statement-breakpoint
CREATE UNIQUE INDEX "runs_idempotency_key" ON "runs" USING btree ("user_id","project_id","idempotency_key") WHERE "runs"."idempotency_key" IS NOT NULL;