ALTER TABLE "runs" ADD COLUMN "approval_policies" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "approval_timeout_seconds" integer DEFAULT 86400 NOT NULL;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "approval_requested_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "approval_expires_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "waited_ms" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "tool_calls" ADD COLUMN "original_arguments" text;--> statement-breakpoint
ALTER TABLE "tool_calls" ADD COLUMN "approval" text;--> statement-breakpoint
ALTER TABLE "tool_calls" ADD COLUMN "approval_reason" text;--> statement-breakpoint
ALTER TABLE "tool_calls" ADD COLUMN "decided_by" text;--> statement-breakpoint
ALTER TABLE "tool_calls" ADD COLUMN "decided_at" timestamp with time zone;