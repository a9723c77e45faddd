CREATE TABLE "skill_sets" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "skill_sets_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"version" text NOT NULL,
	"prompts" jsonb NOT NULL,
	"forbidden_commands" jsonb,
	"loaded_by" text,
	"loaded_at" timestamp with time zone DEFAULT now() NOT NULL
);
