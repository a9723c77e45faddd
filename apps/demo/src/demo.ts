import type { Logger } from 'pino';
import type { DemoConfig } from './config';
import { ConsoleRoom } from './consoles/console-room';
import { Failures } from './failures';
import { gns3Api } from './gns3/gns3-api';
import { DEMO_PROJECT_ID } from './gns3/projects';
import { HttpServer } from './http/http-server';
import { Lab } from './lab/lab';
import { fiveNodeLab, ringLab } from './lab/lab-plan';
import { modelApi } from './model/model-api';

export interface Demo {
  readonly gns3Url: string;
  readonly modelUrl: string;
  readonly projectId: string;
  close(): Promise<void>;
}

/** Starts the lab, its GNS3 API and the model; resolves when all of them listen. */
export async function startDemo(config: DemoConfig, logger: Logger): Promise<Demo> {
  const failures = new Failures(config.failures);
  const pace = { latencyMs: config.latencyMs, pingIntervalMs: config.pingIntervalMs };
  const plan = config.nodes === undefined ? fiveNodeLab() : ringLab(config.nodes);
  const lab: Lab = new Lab(plan, pace, {
    screen: (node, text) => consoles.show(node, text),
    fault: (node, error) => logger.error({ err: error, node }, 'device failed'),
  });
  const consoles = new ConsoleRoom(lab, config.host, failures);
  let gns3Port = config.gns3Port;
  const onError = (error: unknown): void => logger.error({ err: error }, 'request failed');
  const gns3 = new HttpServer(
    gns3Api({ lab, consoles, failures, logger, host: config.host, port: () => gns3Port }),
    onError,
  );
  const model = new HttpServer(modelApi({ failures, tokenMs: config.tokenMs, logger }), onError);
  lab.startAll();
  await consoles.open();
  gns3Port = await gns3.listen(config.gns3Port, config.host);
  const modelPort = await model.listen(config.modelPort, config.host);
  return {
    gns3Url: `http://${config.host}:${gns3Port}`,
    modelUrl: `http://${config.host}:${modelPort}/v1`,
    projectId: DEMO_PROJECT_ID,
    close: async () => {
      lab.stopAll();
      await Promise.all([gns3.close(), model.close(), consoles.close()]);
    },
  };
}
