/** A program that is not ours: its command and the environment that it needs. */
export interface Peer {
  readonly command: string;
  readonly env: Record<string, string>;
}

/** One from PyPI; `packages` is the folder of what is installed with it. */
export interface PythonPeer extends Peer {
  readonly packages: string;
}

export function findNginx(): Promise<Peer>;
export function findChromium(): Promise<Peer>;
export function findSchemathesis(): Promise<PythonPeer>;
export function findGns3Server(): Promise<PythonPeer>;
