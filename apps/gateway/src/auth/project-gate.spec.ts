import { Gns3Error } from '@copilot/gns3';
import { createLogger } from '@copilot/observability';
import { describe, expect, it, jest } from '@jest/globals';
import type { Identity } from './caller';
import { ProjectGate } from './project-gate';

const LOCAL: Identity = { userId: 'local', isSuperadmin: false };
const USER: Identity = { userId: 'user', isSuperadmin: false, gns3Token: 'token' };

const project = (status: string) => ({ project_id: 'p', name: 'lab', status });

function gateOn(getProject: (id: string, signal?: AbortSignal) => Promise<ReturnType<typeof project>>) {
  return new ProjectGate({ of: () => ({ getProject }) }, createLogger('test', 'silent'));
}

describe('ProjectGate', () => {
  it('lets an opened project through', async () => {
    await expect(
      gateOn(async () => project('opened')).assertOpened('p', LOCAL, 'use chat'),
    ).resolves.toBeUndefined();
  });

  it('refuses a closed project and says what it would have to be opened for', async () => {
    await expect(
      gateOn(async () => project('closed')).assertOpened('p', LOCAL, 'use chat'),
    ).rejects.toMatchObject({
      status: 403,
      message: 'Project must be opened to use chat. Current status: closed',
    });
  });

  it('refuses a project that GNS3 does not know', async () => {
    const gate = gateOn(() => Promise.reject(new Gns3Error('not_found', 'no such project', 404)));
    await expect(gate.assertOpened('p', LOCAL, 'use chat')).rejects.toMatchObject({
      status: 404,
      message: "Project ID p doesn't exist",
    });
  });

  it.each(['unreachable', 'timeout', 'unauthorized', 'forbidden', 'bad_response'] as const)(
    'leaves it to the run when GNS3 cannot be asked: %s',
    async (code) => {
      const gate = gateOn(() => Promise.reject(new Gns3Error(code, 'no answer')));
      await expect(gate.assertOpened('p', LOCAL, 'use chat')).resolves.toBeUndefined();
    },
  );

  it('asks again after two seconds, and not before', async () => {
    const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
    const getProject = jest.fn(async () => project('opened'));
    const gate = gateOn(getProject);
    const timesAskedAt = async (ms: number) => {
      clock.mockReturnValue(ms);
      await gate.assertOpened('p', LOCAL, 'use chat');
      return getProject.mock.calls.length;
    };
    expect([await timesAskedAt(0), await timesAskedAt(1_999), await timesAskedAt(2_000)]).toEqual([1, 1, 2]);
    clock.mockRestore();
  });

  it.each([
    ['forbidden', 403, 'Permission denied (privilege Project.Audit is required)'],
    ['unauthorized', 401, 'Could not validate credentials'],
    ['unreachable', 503, expect.stringContaining('cannot be reached')],
    ['timeout', 503, expect.stringContaining('cannot be reached')],
  ] as const)(
    'lets nobody in with a login of their own when GNS3 says %s: %i',
    async (code, status, message) => {
      const gate = gateOn(() => Promise.reject(new Gns3Error(code, 'no answer')));
      await expect(gate.assertOpened('p', USER, 'use chat')).rejects.toMatchObject({ status, message });
      await expect(gate.assertVisible('p', USER)).rejects.toMatchObject({ status, message });
    },
  );

  it('asks for each user, since another may not see the project', async () => {
    const getProject = jest.fn(async () => project('opened'));
    const gate = gateOn(getProject);
    await gate.assertOpened('p', USER, 'use chat');
    await gate.assertOpened('p', { ...USER, userId: 'other' }, 'use chat');
    expect(getProject).toHaveBeenCalledTimes(2);
  });

  it('lets a token of our own into the projects that it names, and into no other', async () => {
    const gate = gateOn(async () => project('opened'));
    const caller = (projects: 'all' | string[]): Identity => ({
      userId: 'user',
      isSuperadmin: false,
      grants: { projects, groups: [], groupPrivileges: [] },
    });
    await expect(gate.assertOpened('p', caller(['p']), 'use chat')).resolves.toBeUndefined();
    await expect(gate.assertOpened('p', caller('all'), 'use chat')).resolves.toBeUndefined();
    await expect(gate.assertOpened('p', caller(['q']), 'use chat')).rejects.toMatchObject({ status: 403 });
    await expect(gate.assertVisible('p', caller([]))).rejects.toMatchObject({ status: 403 });
  });

  it('shows what is in a closed project', async () => {
    await expect(gateOn(async () => project('closed')).assertVisible('p', USER)).resolves.toBeUndefined();
  });
});
