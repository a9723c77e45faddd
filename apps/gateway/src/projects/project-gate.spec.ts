import { Gns3Error } from '@copilot/gns3';
import { createLogger } from '@copilot/observability';
import { describe, expect, it, jest } from '@jest/globals';
import { ProjectGate } from './project-gate';

const project = (status: string) => ({ project_id: 'p', name: 'lab', status });

function gateOn(getProject: (id: string, signal?: AbortSignal) => Promise<ReturnType<typeof project>>) {
  return new ProjectGate({ getProject }, createLogger('test', 'silent'));
}

describe('ProjectGate', () => {
  it('lets an opened project through', async () => {
    await expect(
      gateOn(async () => project('opened')).assertOpened('p', 'use chat'),
    ).resolves.toBeUndefined();
  });

  it('refuses a closed project and says what it would have to be opened for', async () => {
    await expect(gateOn(async () => project('closed')).assertOpened('p', 'use chat')).rejects.toMatchObject({
      status: 403,
      message: 'Project must be opened to use chat. Current status: closed',
    });
  });

  it('refuses a project that GNS3 does not know', async () => {
    const gate = gateOn(() => Promise.reject(new Gns3Error('not_found', 'no such project', 404)));
    await expect(gate.assertOpened('p', 'use chat')).rejects.toMatchObject({
      status: 404,
      message: "Project ID p doesn't exist",
    });
  });

  it.each(['unreachable', 'timeout', 'unauthorized', 'forbidden', 'bad_response'] as const)(
    'leaves it to the run when GNS3 cannot be asked: %s',
    async (code) => {
      const gate = gateOn(() => Promise.reject(new Gns3Error(code, 'no answer')));
      await expect(gate.assertOpened('p', 'use chat')).resolves.toBeUndefined();
    },
  );

  it('asks again after two seconds, and not before', async () => {
    const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
    const getProject = jest.fn(async () => project('opened'));
    const gate = gateOn(getProject);
    const timesAskedAt = async (ms: number) => {
      clock.mockReturnValue(ms);
      await gate.assertOpened('p', 'use chat');
      return getProject.mock.calls.length;
    };
    expect([await timesAskedAt(0), await timesAskedAt(1_999), await timesAskedAt(2_000)]).toEqual([1, 1, 2]);
    clock.mockRestore();
  });
});
