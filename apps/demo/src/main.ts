import { endWithParent } from '@copilot/config';
import { pino } from 'pino';
import { readConfig } from './config';
import { startDemo } from './demo';

async function main(): Promise<void> {
  endWithParent();
  const config = readConfig(process.env, process.argv.slice(2));
  const logger = pino({ level: config.logLevel, base: undefined });
  const demo = await startDemo(config, logger);
  const { gns3Url, modelUrl, projectId } = demo;
  // Written past the log level: whoever starts the demo waits for this line.
  process.stdout.write(`${JSON.stringify({ msg: 'demo ready', gns3Url, modelUrl, projectId })}\n`);
  const stop = (): void => {
    demo.close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
