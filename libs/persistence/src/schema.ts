import type {
  ApprovalPolicy,
  ApprovalState,
  ModelPrices,
  RunErrorCode,
  RunStatus,
  StopReason,
  Usage,
} from '@copilot/contracts';
import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });
const id = (name: string) => bigint(name, { mode: 'number' });

/** One conversation. `session_id` is the client's own name for it: any text, unique in its project. */
export const sessions = pgTable(
  'sessions',
  {
    id: id('id').primaryKey().generatedAlwaysAsIdentity(),
    sessionId: text('session_id').notNull(),
    projectId: uuid('project_id').notNull(),
    userId: text('user_id').notNull(),
    title: text('title').notNull().default('New Conversation'),
    /** A title that a person chose is never replaced by a generated one. */
    titleSource: text('title_source').$type<'default' | 'generated' | 'user'>().notNull().default('default'),
    copilotMode: text('copilot_mode').notNull(),
    messageCount: integer('message_count').notNull().default(0),
    llmCallsCount: integer('llm_calls_count').notNull().default(0),
    inputTokens: id('input_tokens').notNull().default(0),
    outputTokens: id('output_tokens').notNull().default(0),
    toolCallsCount: integer('tool_calls_count').notNull().default(0),
    /** Of its runs, in the currency of their model configs; runs without prices cost nothing here. */
    cost: numeric('cost', { precision: 30, scale: 12, mode: 'number' }).notNull().default(0),
    /** Totals that its runs may not go beyond; parsed by `libs/limits`. */
    budget: jsonb('budget').$type<Record<string, unknown>>().notNull().default({}),
    pinned: boolean('pinned').notNull().default(false),
    lastMessageAt: at('last_message_at'),
    createdAt: at('created_at').notNull().defaultNow(),
    updatedAt: at('updated_at').notNull().defaultNow(),
  },
  (table) => [
    unique('sessions_project_session').on(table.projectId, table.sessionId),
    index('sessions_owner').on(table.userId, table.projectId, table.updatedAt),
  ],
);

export type LabLogin = 'service' | 'caller';

/** What somebody has changed of a run's limits. */
export interface LimitsChange {
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly by: string;
  readonly changes: Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>;
}

export const IDEMPOTENCY_INDEX = 'runs_idempotency_key';

/** One execution on a session; this row and the checkpoint are the run's truth. */
export const runs = pgTable(
  'runs',
  {
    runId: uuid('run_id').primaryKey(),
    /** Order of the runs of a session. */
    sequence: id('sequence').notNull().generatedAlwaysAsIdentity(),
    session: id('session')
      .notNull()
      .references(() => sessions.id, { onDelete: 'cascade' }),
    projectId: uuid('project_id').notNull(),
    userId: text('user_id').notNull(),
    /** Who acts on the lab: the service's own login, or the caller with the token in `run_tokens`. */
    labLogin: text('lab_login').$type<LabLogin>().notNull().default('service'),
    message: text('message').notNull(),
    /** The caller's own name for the request, and a hash of what was asked with it. */
    idempotencyKey: text('idempotency_key'),
    requestHash: text('request_hash'),
    copilotMode: text('copilot_mode').notNull(),
    modelConfigId: uuid('model_config_id').notNull(),
    /** The model's name, and what it cost when the run was accepted: a later change of price is for later runs. */
    model: text('model').notNull().default(''),
    prices: jsonb('prices').$type<ModelPrices>(),
    /** As the caller sent them, and as they hold; parsed by `libs/limits`. */
    requestedLimits: jsonb('requested_limits').$type<Record<string, unknown>>().notNull().default({}),
    effectiveLimits: jsonb('effective_limits').$type<Record<string, unknown>>().notNull().default({}),
    /** Of the run's work, from its first step on. */
    maxSeconds: integer('max_seconds').notNull().default(900),
    /** Set by the first claim: the agent and every tool worker stop at it. */
    deadlineAt: at('deadline_at'),
    /** Changes of the limits while it worked: who, when, from what to what. */
    limitChanges: jsonb('limit_changes').$type<LimitsChange[]>().notNull().default([]),
    /** Which calls wait for a person: the policies of the model config and of the request, each adding to the other. */
    approvalPolicies: jsonb('approval_policies').$type<ApprovalPolicy[]>().notNull().default([]),
    approvalTimeoutSeconds: integer('approval_timeout_seconds').notNull().default(86_400),
    /** Set while it waits for a person. */
    approvalRequestedAt: at('approval_requested_at'),
    /** When that wait ends, or when the last one would have ended. */
    approvalExpiresAt: at('approval_expires_at'),
    /** Milliseconds that it has waited for people before; they do not count as its time. */
    waitedMs: id('waited_ms').notNull().default(0),
    /** Somebody has cancelled it: whoever holds it ends it, and nobody begins anything more of it. */
    cancelRequestedAt: at('cancel_requested_at'),
    status: text('status').$type<RunStatus>().notNull().default('queued'),
    /** Raised by every claim; writes of an older attempt are refused. */
    attempt: integer('attempt').notNull().default(0),
    /** Raised by every enqueueing; a delivery with another number is stale. 0 = still in its session's line. */
    enqueueNumber: integer('enqueue_number').notNull().default(0),
    /** How often the queue has lost it, so that it had to be enqueued anew. */
    redeliveries: integer('redeliveries').notNull().default(0),
    claimedBy: text('claimed_by'),
    claimedAt: at('claimed_at'),
    stopReason: text('stop_reason').$type<StopReason>(),
    errorCode: text('error_code').$type<RunErrorCode>(),
    errorMessage: text('error_message'),
    usage: jsonb('usage').$type<Usage>(),
    createdAt: at('created_at').notNull().defaultNow(),
    startedAt: at('started_at'),
    endedAt: at('ended_at'),
  },
  (table) => [
    index('runs_session').on(table.session, table.sequence),
    uniqueIndex(IDEMPOTENCY_INDEX)
      .on(table.userId, table.projectId, table.idempotencyKey)
      .where(sql`${table.idempotencyKey} IS NOT NULL`),
    index('runs_unfinished')
      .on(table.session, table.sequence)
      .where(sql`${table.endedAt} IS NULL`),
    index('runs_of_model').on(table.userId, table.model, table.sequence),
  ],
);

/**
 * The caller's token at the GNS3 server, sealed; apart from the run's row, so that whoever reads a run does not
 * hold it. A trigger deletes it in the transaction that ends the run, whatever ends it.
 */
export const runTokens = pgTable('run_tokens', {
  runId: uuid('run_id')
    .primaryKey()
    .references(() => runs.runId, { onDelete: 'cascade' }),
  sealedToken: text('sealed_token').notNull(),
});

export type ToolCallStatus =
  | 'pending'
  | 'running'
  | 'succeeded'
  | 'failed'
  /** Not admitted: over a limit, faulty, or not in the mode. */
  | 'refused'
  /** By a person, or because nobody approved it in time. */
  | 'rejected'
  /** Admitted, and never begun: its run ended before. */
  | 'skipped'
  | 'unknown';

/** One tool call of a run; the row exists before the call can have an effect. */
export const toolCalls = pgTable(
  'tool_calls',
  {
    runId: uuid('run_id')
      .notNull()
      .references(() => runs.runId, { onDelete: 'cascade' }),
    callId: text('call_id').notNull(),
    iteration: integer('iteration').notNull(),
    /** Place among the calls of its iteration, from 0. */
    position: integer('position').notNull(),
    name: text('name').notNull(),
    /** The raw argument text as the model gave it, or as a person has changed it. */
    arguments: text('arguments').notNull(),
    /** The model's, where a person has changed them. */
    originalArguments: text('original_arguments'),
    /** Null for a call that no person has to approve. */
    approval: text('approval').$type<ApprovalState>(),
    approvalReason: text('approval_reason'),
    decidedBy: text('decided_by'),
    decidedAt: at('decided_at'),
    status: text('status').$type<ToolCallStatus>().notNull().default('pending'),
    attempt: integer('attempt').notNull().default(0),
    /** What the model gets, whole; TOAST keeps large ones out of the row's page. */
    output: text('output'),
    /** Further attempts that were made after a failure. */
    retries: integer('retries').notNull().default(0),
    createdAt: at('created_at').notNull().defaultNow(),
    startedAt: at('started_at'),
    endedAt: at('ended_at'),
  },
  (table) => [
    primaryKey({ columns: [table.runId, table.callId] }),
    uniqueIndex('tool_calls_place').on(table.runId, table.iteration, table.position),
  ],
);

/** A model that a user or a group has configured. What is secret is sealed; everything else is in `settings`. */
export const modelConfigs = pgTable(
  'model_configs',
  {
    configId: uuid('config_id').primaryKey(),
    /** One of the two is set. */
    userId: text('user_id'),
    groupId: text('group_id'),
    name: text('name').notNull(),
    modelType: text('model_type').notNull(),
    /** A null in it stands for a value in `sealed_extras`. */
    settings: jsonb('settings').$type<Record<string, unknown>>().notNull(),
    sealedApiKey: text('sealed_api_key'),
    /** JSON of the settings that look like secrets, by name. */
    sealedExtras: text('sealed_extras'),
    /** How the provider counts, learned from its answers; parsed where it is used. */
    contextLearning: jsonb('context_learning').$type<unknown>(),
    isDefault: boolean('is_default').notNull().default(false),
    version: integer('version').notNull().default(0),
    createdAt: at('created_at').notNull().defaultNow(),
    updatedAt: at('updated_at').notNull().defaultNow(),
  },
  (table) => [
    check('model_configs_one_owner', sql`num_nonnulls(${table.userId}, ${table.groupId}) = 1`),
    index('model_configs_user').on(table.userId, table.createdAt),
    index('model_configs_group').on(table.groupId, table.createdAt),
    uniqueIndex('model_configs_one_default')
      .on(table.userId)
      .where(sql`${table.isDefault}`),
    uniqueIndex('model_configs_one_group_default')
      .on(table.groupId)
      .where(sql`${table.isDefault}`),
  ],
);

/** What an operator has loaded from a folder, newest last; parsed as `SkillSet` of the contracts. */
export const skillSets = pgTable('skill_sets', {
  id: id('id').primaryKey().generatedAlwaysAsIdentity(),
  version: text('version').notNull(),
  prompts: jsonb('prompts').$type<Record<string, string>>().notNull(),
  forbiddenCommands: jsonb('forbidden_commands').$type<string[]>(),
  /** The user; null for a gateway that loaded its folder when it started. */
  loadedBy: text('loaded_by'),
  loadedAt: at('loaded_at').notNull().defaultNow(),
});

export type SessionRow = typeof sessions.$inferSelect;
export type RunRow = typeof runs.$inferSelect;
export type ToolCallRow = typeof toolCalls.$inferSelect;
export type ModelConfigRow = typeof modelConfigs.$inferSelect;
