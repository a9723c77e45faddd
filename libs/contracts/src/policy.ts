/**
 * Policy that two processes must agree on, so constants and not settings.
 * Times are milliseconds.
 */

/** A worker that dies is noticed after at most lock + check, so a run goes on within 5 s. */
export const JOB_LOCK_MS = 3_000;
export const STALLED_CHECK_MS = 1_500;

/** Longest a device may take for one command, unless the command itself is known to be slow. */
export const COMMAND_TIMEOUT_MS = 60_000;
/** Longest a whole tool call may take. */
export const TOOL_CALL_TIMEOUT_MS = 120_000;

/** No run works for longer, whatever its caller and its operator allow. */
export const MAX_RUN_SECONDS = 3_600;

/**
 * What holds a run at its deadline or when it is cancelled (an agent in a model call, a tool worker in a call)
 * ends it in order within this; then it is ended over their heads.
 */
export const SETTLE_GRACE_MS = 2_000;

/** The topology is read at a run's start; a server slower than this counts as unreachable. */
export const TOPOLOGY_TIMEOUT_MS = 30_000;

export const HEARTBEAT_MS = 15_000;

/** How often the service looks for runs that the queue has lost. */
export const REAP_EVERY_MS = 3_000;
/** A run is handed over, and a session's line moved up, well within this; what takes longer was lost. */
export const HAND_OVER_GRACE_MS = 5_000;
/** A run that the queue loses more often than this is ended: something takes its jobs away. */
export const MAX_REDELIVERIES = 10;
