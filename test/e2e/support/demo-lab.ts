import { Child } from './child';

export interface DemoReady {
  readonly gns3Url: string;
  readonly modelUrl: string;
  readonly projectId: string;
}

/** The lab and the rule-driven model of apps/demo, as a process of its own on free ports. */
export async function startDemo(env: Record<string, string>): Promise<{ child: Child; ready: DemoReady }> {
  const child = new Child('demo', 'dist/apps/demo/main.js', {
    DEMO_GNS3_PORT: '0',
    DEMO_MODEL_PORT: '0',
    DEMO_TOKEN_MS: '0',
    ...env,
  });
  const line = await child.line('demo ready');
  return { child, ready: JSON.parse(line) as DemoReady };
}

/** A command that a console of the lab has received. */
export interface LabCommand {
  readonly node: string;
  readonly line: string;
}

/** In the order in which they came, of all devices. */
export async function labCommands({ gns3Url }: Pick<DemoReady, 'gns3Url'>): Promise<LabCommand[]> {
  const response = await fetch(`${gns3Url}/demo/commands`);
  return (await response.json()) as LabCommand[];
}
