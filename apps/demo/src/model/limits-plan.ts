import type { Conversation } from './conversation';

/** A request for the limits of a run: it offers no tools and asks for a plan as JSON. */
export function isPlanRequest({ system, tools }: Conversation): boolean {
  return tools.size === 0 && /\biterations\b/.test(system) && /JSON object/.test(system);
}

/** What this model itself would need: a look, where something is changed the change and a second look, an answer. */
export function limitsPlan({ question }: Conversation): string {
  const [, message = question] = /### Message\n\n([\s\S]*?)\n\n### Lab/.exec(question) ?? [];
  const changes = /\b(config|configure|set|give|shut|enable|save|inject|add)\b|配置|设置|保存/i.test(message);
  return JSON.stringify({
    iterations: changes ? 4 : 2,
    tool_calls: changes ? 4 : 2,
    device_config_calls: changes ? 2 : 0,
    diagnostic_calls: 2,
    reason: changes ? 'look, change, verify, report' : 'look and report',
  });
}
