/** The Redis (or Valkey) server to start: its command and the environment that its libraries need. */
export function findRedis(): Promise<{ command: string; env: Record<string, string> }>;
