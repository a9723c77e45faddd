import type { Logger } from 'pino';
import { z } from 'zod';
import type { ConsoleRoom } from '../consoles/console-room';
import { failureSwitch, type Failures } from '../failures';
import { parseJson, Routes } from '../http/http-server';
import type { Lab } from '../lab/lab';
import { Gns3Refusal } from './gns3-error';

const failuresBody = z.object({ set: z.array(failureSwitch) });

export interface DemoRoutesOptions {
  readonly lab: Lab;
  readonly consoles: ConsoleRoom;
  readonly failures: Failures;
  readonly logger: Logger;
}

/** What GNS3 does not have: the record of commands that consoles received, and the failure switches. */
export function demoRoutes({ lab, consoles, failures, logger }: DemoRoutesOptions): Routes {
  return new Routes()
    .on('GET', '/demo/commands', () => ({ status: 200, json: lab.commands.list() }))
    .on('DELETE', '/demo/commands', () => {
      lab.commands.clear();
      return { status: 204 };
    })
    .on('GET', '/demo/failures', () => ({ status: 200, json: { set: failures.list() } }))
    .on('POST', '/demo/failures', async (request) => {
      const parsed = failuresBody.safeParse(parseJson(request.body));
      if (!parsed.success) throw new Gns3Refusal(422, z.prettifyError(parsed.error));
      failures.set(parsed.data.set);
      await consoles.update();
      logger.info({ set: failures.list() }, 'failure switches set');
      return { status: 200, json: { set: failures.list() } };
    });
}
