import type { Gns3Client, LabAccess } from '@copilot/gns3';
import type { LabLogin, ToolCallRow } from '@copilot/persistence';
import type { ForbiddenPatterns } from '../commands/forbidden';
import type { ConsoleAccess } from '../consoles/console-access';

/** What every tool works with; one for the whole process. */
export interface ToolServices {
  readonly lab: LabAccess;
  readonly consoles: ConsoleAccess;
  /** What no tool may send at this moment. */
  readonly forbidden: () => Promise<ForbiddenPatterns>;
  /** Longest wait for the prompt after one command. */
  readonly commandTimeoutMs: number;
}

/** The call a tool works for. */
export interface ToolScope {
  readonly projectId: string;
  readonly runId: string;
  readonly labLogin: LabLogin;
  readonly callId: string;
  readonly signal: AbortSignal;
  /** A call of the same conversation; another conversation's ids are unknown here. */
  readonly findCall: (callId: string) => Promise<ToolCallRow | undefined>;
  /** A device's console is held by others; `ahead` of them come first. */
  readonly onWaiting: (deviceName: string, ahead: number) => void;
}

/** What a tool is given: the lab comes with the rights of whoever its run acts for. */
export type ToolContext = Omit<ToolServices, 'lab' | 'forbidden'> &
  ToolScope & { readonly gns3: Gns3Client; readonly forbidden: ForbiddenPatterns };
