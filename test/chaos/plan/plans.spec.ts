import { describe, expect, it } from '@jest/globals';
import { chatPlans } from './chat-plan';
import { DISTURBED_PARTS, disturbancePlan } from './disturbance-plan';
import { chaosOptions, repeatLine } from './options';

const extent = { seed: 7, chats: 200, sendMs: 60_000, routers: 8 };
const fire = { seed: 7, durationMs: 3_600_000, processes: 8, parts: DISTURBED_PARTS };

describe('the plans of a seed', () => {
  it('are the same every time, and others for another seed', () => {
    expect(chatPlans(extent)).toEqual(chatPlans(extent));
    expect(disturbancePlan(fire)).toEqual(disturbancePlan(fire));
    expect(chatPlans({ ...extent, seed: 8 })).not.toEqual(chatPlans(extent));
    expect(disturbancePlan({ ...fire, seed: 8 })).not.toEqual(disturbancePlan(fire));
  });

  it('have each chat once, and no changing line twice', () => {
    const plans = chatPlans(extent);
    expect(new Set(plans.map(({ chat }) => chat)).size).toBe(extent.chats);
    const lines = plans.flatMap(({ iterations }) =>
      iterations.flatMap(({ calls }) => calls.flatMap(({ markers }) => markers.map(({ line }) => line))),
    );
    expect(lines.length).toBeGreaterThan(100);
    expect(new Set(lines).size).toBe(lines.length);
  });

  it('have every way to send, to cancel and to decide', () => {
    const plans = chatPlans(extent);
    expect(new Set(plans.map(({ entry }) => entry)).size).toBe(4);
    expect(new Set(plans.map(({ decision }) => decision)).size).toBe(5);
    expect(plans.some(({ cancelAfterMs }) => cancelAfterMs !== undefined)).toBe(true);
    expect(new Set(plans.map(({ mayBeInterrupted }) => mayBeInterrupted)).size).toBe(2);
  });

  it('disturb every part in its way, and no store so often that its supervisor gives up', () => {
    const plan = disturbancePlan(fire);
    expect(new Set(plan.map(({ kind }) => kind)).size).toBe(6);
    const stores = plan.filter(({ kind }) => kind.startsWith('restart-')).map(({ atMs }) => atMs);
    expect(Math.min(...stores.slice(1).map((at, index) => at - (stores[index] ?? 0)))).toBeGreaterThan(
      15_000,
    );
    expect(
      disturbancePlan({ ...fire, parts: ['kills'] }).every(({ kind }) =>
        ['kill', 'terminate'].includes(kind),
      ),
    ).toBe(true);
  });
});

describe('the options', () => {
  it('have defaults, and as many chats as the time allows, 500 at most', () => {
    expect(chaosOptions([])).toMatchObject({ minutes: 2, seed: 1, parts: DISTURBED_PARTS });
    expect(chaosOptions(['--minutes', '60']).chats).toBe(500);
    expect(chaosOptions(['--minutes', '60', '--chats', '700']).chats).toBe(700);
  });

  it.each([
    [['--minutes', 'x'], /minutes/],
    [['--seed', '-1'], /seed/],
    [['--parts', 'kills,moon'], /kills, stops/],
  ])('refuse %j by name', (args, text) => {
    expect(() => chaosOptions(args)).toThrow(text);
  });

  it('are repeated by one line', () => {
    const args = ['--minutes', '3', '--seed', '9', '--chats', '20', '--parts', 'kills,redis'];
    expect(repeatLine(chaosOptions(args))).toBe(`npm run chaos -- ${args.join(' ')}`);
  });
});
