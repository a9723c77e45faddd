ALTER TABLE "runs" ADD COLUMN "model" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "prices" jsonb;--> statement-breakpoint
CREATE INDEX "runs_of_model" ON "runs" USING btree ("user_id","model","sequence");