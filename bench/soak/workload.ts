/** What one run of the soak is to do. */
export interface Task {
  /** Names the run in its answer, so that words of another one would show. */
  readonly name: string;
  readonly words: number;
  /** The model reads the topology before it speaks. */
  readonly looksFirst: boolean;
}

const MESSAGE = /^Say (\d+) words of ([\w-]+)(, after a look at the lab)?\.$/;

/** The message that makes the soak's model do the task. */
export function messageOf({ name, words, looksFirst }: Task): string {
  return `Say ${words} words of ${name}${looksFirst ? ', after a look at the lab' : ''}.`;
}

export function taskOf(message: string): Task | undefined {
  const [, words, name, look] = MESSAGE.exec(message) ?? [];
  if (name === undefined) return undefined;
  return { name, words: Number(words), looksFirst: look !== undefined };
}

/** The answer as the model says it, one piece at a time; numbered, so that a lost or a repeated one shows. */
export function answerOf({ name, words }: Task): string[] {
  return Array.from({ length: words }, (_, index) => ` ${name}.${index + 1}`);
}

/** What the processes of the soak share; handed to its children as JSON. */
export interface SoakPlan {
  /** Chat URLs of one project, one for each gateway. */
  readonly chatUrls: readonly string[];
  readonly chats: number;
  readonly viewers: number;
  readonly pieceMs: number;
  /** Over which the chats begin. */
  readonly rampMs: number;
}

/** Seconds on the log, hence in Redis, of a run that has ended: the setting's least, for a steady state soon. */
export const LOG_TTL_SECONDS = 60;

/** Words of a run; a chat's first run may be shorter, so that chats do not end in step. */
export const WORDS = { least: 40, most: 80 } as const;
