import { describe, expect, it } from '@jest/globals';
import { admitCalls, type CallRequest } from './admission';
import type { RequestedLimits } from './request';
import { CONFIG, limitsOf, SHOW } from './testing/limits-of';

const NONE = { total: 0, byTool: {} };

function admit(requested: RequestedLimits, names: readonly string[], before = NONE) {
  return admitCalls(
    names.map((name): CallRequest => ({ name })),
    limitsOf(requested),
    before,
  );
}

const ran = ({ calls }: ReturnType<typeof admit>) => calls.map(({ refusal }) => refusal === undefined);

describe('admitCalls', () => {
  it('C5: runs the first three of five calls when max_tool_calls is 3, and answers the others in order', () => {
    const admission = admit(
      { max_tool_calls: 3 },
      Array.from({ length: 5 }, () => SHOW),
    );
    expect(ran(admission)).toEqual([true, true, true, false, false]);
    expect(admission.counts).toEqual({ total: 3, byTool: { [SHOW]: 3 } });
    expect(admission.calls[4]?.refusal).toBe(
      'Tool call limit reached (3 calls). Please simplify your request or break it into smaller steps. Current tool call count: 3/3.',
    );
    expect(admission.hits).toMatchObject([{ budget: { limit: 'max_tool_calls' }, refused: 2, used: 3 }]);
    expect(admission.nothingLeft).toBe(false);
  });

  it('C7: a full budget of one tool leaves the other tools alone', () => {
    const tool_limits = { [SHOW]: 3, [CONFIG]: 3 };
    const admission = admit({ tool_limits }, [SHOW, SHOW, SHOW, SHOW, CONFIG]);
    expect(ran(admission)).toEqual([true, true, true, false, true]);
    expect(admission.calls[3]?.refusal).toContain(`${SHOW} call limit reached (3 calls)`);
  });

  it('asks of a call that it passes every budget that covers it', () => {
    const limits = { max_tool_calls: 4, max_diagnostic_calls: 2, max_device_config_calls: 1 };
    const admission = admit(limits, [SHOW, CONFIG, CONFIG, SHOW, SHOW, 'gns3_topology_reader']);
    expect(ran(admission)).toEqual([true, true, false, true, false, false]);
    expect(admission.calls[2]?.refusal).toContain('Device config call limit reached (1 calls)');
    expect(admission.calls[5]?.refusal).toContain('Current diagnostic call count: 2/2');
  });

  it('does not count a call that is refused for another reason', () => {
    const { counts, calls } = admitCalls(
      [{ name: 'nope', refusal: 'no such tool' }, { name: SHOW }],
      limitsOf({ max_tool_calls: 1 }),
      NONE,
    );
    expect(calls).toEqual([{ name: 'nope', refusal: 'no such tool' }, { name: SHOW }]);
    expect(counts.total).toBe(1);
  });

  it('goes on from what earlier turns have used, and says when nothing is left', () => {
    const used = { total: 3, byTool: { [SHOW]: 3 } };
    const admission = admit({ max_tool_calls: 3 }, [SHOW, CONFIG], used);
    expect(ran(admission)).toEqual([false, false]);
    expect(admission.counts).toEqual(used);
    expect(admission.nothingLeft).toBe(true);
  });

  it('refuses more when a limit was lowered below what is used, and recalls nothing', () => {
    const used = { total: 9, byTool: { [SHOW]: 9 } };
    const admission = admit({ max_tool_calls: 3 }, [SHOW], used);
    expect(ran(admission)).toEqual([false]);
    expect(admission.counts).toEqual(used);
  });

  it('continue: goes beyond the limit to the ceiling of 50 and says so', () => {
    const limits: RequestedLimits = { max_tool_calls: 3, on_limit_reached: 'continue' };
    const admission = admit(
      limits,
      Array.from({ length: 52 }, () => SHOW),
    );
    expect(ran(admission).filter(Boolean)).toHaveLength(50);
    expect(admission.hits).toMatchObject([{ refused: 2, used: 50 }]);
    expect(admit(limits, [SHOW, SHOW, SHOW, SHOW]).hits).toMatchObject([{ refused: 0, used: 4 }]);
  });

  it('a tool that is switched off stays off, with continue too', () => {
    const admission = admit({ tool_limits: { [CONFIG]: 0 }, on_limit_reached: 'continue' }, [CONFIG, SHOW]);
    expect(ran(admission)).toEqual([false, true]);
    expect(admission.calls[0]?.refusal).toContain('switched off');
  });

  it('has no bound where none was given', () => {
    expect(
      ran(
        admit(
          {},
          Array.from({ length: 200 }, () => SHOW),
        ),
      ).every(Boolean),
    ).toBe(true);
  });
});
