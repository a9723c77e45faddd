CREATE TABLE "model_configs" (
	"config_id" uuid PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"name" text NOT NULL,
	"model_type" text NOT NULL,
	"settings" jsonb NOT NULL,
	"sealed_api_key" text,
	"is_default" boolean DEFAULT false NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "runs" (
	"run_id" uuid PRIMARY KEY NOT NULL,
	"sequence" bigint GENERATED ALWAYS AS IDENTITY (sequence name "runs_sequence_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"session" bigint NOT NULL,
	"project_id" uuid NOT NULL,
	"user_id" text NOT NULL,
	"message" text NOT NULL,
	"copilot_mode" text NOT NULL,
	"model_config_id" uuid NOT NULL,
	"status" text DEFAULT 'queued' NOT NULL,
	"attempt" integer DEFAULT 0 NOT NULL,
	"enqueue_number" integer DEFAULT 0 NOT NULL,
	"claimed_by" text,
	"claimed_at" timestamp with time zone,
	"stop_reason" text,
	"error_code" text,
	"error_message" text,
	"usage" jsonb,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"started_at" timestamp with time zone,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "sessions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"session_id" text NOT NULL,
	"project_id" uuid NOT NULL,
	"user_id" text NOT NULL,
	"title" text DEFAULT 'New Conversation' NOT NULL,
	"title_source" text DEFAULT 'default' NOT NULL,
	"copilot_mode" text NOT NULL,
	"message_count" integer DEFAULT 0 NOT NULL,
	"llm_calls_count" integer DEFAULT 0 NOT NULL,
	"input_tokens" bigint DEFAULT 0 NOT NULL,
	"output_tokens" bigint DEFAULT 0 NOT NULL,
	"pinned" boolean DEFAULT false NOT NULL,
	"last_message_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sessions_project_session" UNIQUE("project_id","session_id")
);
--> statement-breakpoint
CREATE TABLE "tool_calls" (
	"run_id" uuid NOT NULL,
	"call_id" text NOT NULL,
	"iteration" integer NOT NULL,
	"position" integer NOT NULL,
	"name" text NOT NULL,
	"arguments" text NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"attempt" integer DEFAULT 0 NOT NULL,
	"output" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"started_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	CONSTRAINT "tool_calls_run_id_call_id_pk" PRIMARY KEY("run_id","call_id")
);
--> statement-breakpoint
ALTER TABLE "runs" ADD CONSTRAINT "runs_session_sessions_id_fk" FOREIGN KEY ("session") REFERENCES "public"."sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tool_calls" ADD CONSTRAINT "tool_calls_run_id_runs_run_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("run_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "model_configs_user" ON "model_configs" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "model_configs_one_default" ON "model_configs" USING btree ("user_id") WHERE "model_configs"."is_default";--> statement-breakpoint
CREATE INDEX "runs_session" ON "runs" USING btree ("session","sequence");--> statement-breakpoint
CREATE INDEX "runs_unfinished" ON "runs" USING btree ("session","sequence") WHERE "runs"."ended_at" IS NULL;--> statement-breakpoint
CREATE INDEX "sessions_owner" ON "sessions" USING btree ("user_id","project_id","updated_at");--> statement-breakpoint
CREATE UNIQUE INDEX "tool_calls_place" ON "tool_calls" USING btree ("run_id","iteration","position");