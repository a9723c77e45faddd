ALTER TABLE "runs" ADD COLUMN "requested_limits" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "effective_limits" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "max_seconds" integer DEFAULT 900 NOT NULL;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "deadline_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "tool_calls" ADD COLUMN "retries" integer DEFAULT 0 NOT NULL;