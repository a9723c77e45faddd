CREATE TABLE "run_tokens" (
	"run_id" uuid PRIMARY KEY NOT NULL,
	"sealed_token" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "model_configs" ALTER COLUMN "user_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "model_configs" ADD COLUMN "group_id" text;--> statement-breakpoint
ALTER TABLE "model_configs" ADD COLUMN "sealed_extras" text;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "lab_login" text DEFAULT 'service' NOT NULL;--> statement-breakpoint
ALTER TABLE "run_tokens" ADD CONSTRAINT "run_tokens_run_id_runs_run_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("run_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "model_configs_group" ON "model_configs" USING btree ("group_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "model_configs_one_group_default" ON "model_configs" USING btree ("group_id") WHERE "model_configs"."is_default";--> statement-breakpoint
ALTER TABLE "model_configs" ADD CONSTRAINT "model_configs_one_owner" CHECK (num_nonnulls("model_configs"."user_id", "model_configs"."group_id") = 1);