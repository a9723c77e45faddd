import { newRun } from '../../../../test/support/new-run';
import { connect, type Connection } from '../database';
import { migrate } from '../migrate';
import { ModelConfigsRepository } from '../model-configs/model-configs.repository';
import { RunControlRepository } from '../runs/run-control.repository';
import { RunIntake, type NewRun } from '../runs/run-intake';
import { RunTokens } from '../runs/run-tokens';
import { RunsRepository, type ClaimedRun } from '../runs/runs.repository';
import { SecretBox } from '../secret-box';
import { ApprovalsRepository } from '../approvals/approvals.repository';
import { ToolCallsRepository } from '../tool-calls/tool-calls.repository';

const KEY = 'a key of enough characters';

export interface Stores {
  readonly connection: Connection;
  readonly tokens: RunTokens;
  readonly intake: RunIntake;
  readonly runs: RunsRepository;
  readonly control: RunControlRepository;
  readonly calls: ToolCallsRepository;
  readonly approvals: ApprovalsRepository;
  readonly configs: ModelConfigsRepository;
}

/** The repositories on the tests' database, brought up to date. */
export async function openStores(): Promise<Stores> {
  const url = process.env.DATABASE_URL;
  if (!url) throw new Error('DATABASE_URL is not set');
  await migrate(url);
  return storesOn(connect(url, () => undefined));
}

export function storesOn(connection: Connection, keys = KEY): Stores {
  const secrets = new SecretBox(keys);
  const tokens = new RunTokens(connection, secrets);
  return {
    connection,
    tokens,
    intake: new RunIntake(connection, tokens),
    runs: new RunsRepository(connection),
    control: new RunControlRepository(connection),
    calls: new ToolCallsRepository(connection),
    approvals: new ApprovalsRepository(connection),
    configs: new ModelConfigsRepository(connection, secrets),
  };
}

/** A new run in the hands of a worker. */
export async function claimedRun(
  { intake, runs }: Pick<Stores, 'intake' | 'runs'>,
  fields?: Partial<NewRun>,
): Promise<ClaimedRun> {
  const { run } = await intake.accept(newRun(fields));
  const claimed = await runs.claim(run, 'worker');
  if (!claimed) throw new Error('a new run can be claimed');
  return claimed;
}
