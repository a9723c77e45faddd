import { SHOW_TOOL, showOn } from '../calls';
import { problemLines } from '../explanations';
import { answer, intent } from '../intent';
import { configureOn } from '../calls';
import type { LabNode } from '../lab-view';

interface Wanted {
  readonly routers: readonly LabNode[];
}

/** Saving goes through the configuration tool: `do write memory` is a line of configuration mode. */
export const saveConfiguration = intent<Wanted>({
  name: 'save-configuration',
  title: { en: 'Saving the configuration', zh: '保存配置' },
  recognise: (turn) => {
    if (!/\bsave\b|write mem|copy run|保存/i.test(turn.text)) return undefined;
    const named = turn.named().filter((node) => node.kind === 'router');
    return { routers: named.length > 0 ? named : turn.routers() };
  },
  plan: ({ routers }, turn) => {
    const names = routers.map((node) => node.name);
    if (turn.stage === 0) {
      const say = turn.say(
        `I save the configuration of ${names.join(', ')}.`,
        `我保存 ${names.join('、')} 的配置。`,
      );
      return {
        kind: 'calls',
        say,
        calls: configureOn(names.map((device) => ({ device, commands: ['do write memory'] }))),
      };
    }
    const canRead = turn.conversation.tools.has(SHOW_TOOL) && turn.conversation.mayCall;
    if (turn.stage === 1 && canRead) {
      const commands = ['show startup-config | include hostname'];
      return {
        kind: 'calls',
        say: turn.say('I check that it is stored.', '检查是否已保存。'),
        calls: showOn(names.map((device) => ({ device, commands }))),
      };
    }
    const saved = turn
      .results(0)
      .filter((each) => each.isGood)
      .map((each) => each.device);
    const verdict = turn.say(
      `Saved on: ${saved.join(', ') || 'none'}.`,
      `已保存：${saved.join('、') || '无'}。`,
    );
    return answer([verdict, ...problemLines(turn.results(0), turn)].join('\n'));
  },
});
