export interface PlannedCall {
  readonly tool: string;
  readonly args: Record<string, unknown>;
  /** The commands that stand in the arguments, for telling the user about them. */
  readonly devices: readonly CommandsFor[];
  /** Left out without a word when the tool is not offered. */
  readonly isOptional?: boolean;
}

/** The next thing to do: call tools (with a word before), or answer. */
export type Step =
  { kind: 'calls'; say: string; calls: readonly PlannedCall[] } | { kind: 'answer'; text: string };

export interface CommandsFor {
  readonly device: string;
  readonly commands: readonly string[];
}
