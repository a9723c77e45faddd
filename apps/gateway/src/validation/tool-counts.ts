import { isToolName, TOOL_NAMES } from '@copilot/contracts';
import { ValidateBy } from 'class-validator';

/** A map from names of known tools to whole numbers in a range. The message says what is wrong with it. */
export function IsToolCounts(min: number, max: number): PropertyDecorator {
  return ValidateBy({
    name: 'isToolCounts',
    validator: {
      validate: (value: unknown) => faultOf(value, min, max) === undefined,
      defaultMessage: (validated) => faultOf(validated?.value, min, max) ?? '',
    },
  });
}

function faultOf(value: unknown, min: number, max: number): string | undefined {
  const rule = `must be an object of tool names with whole numbers from ${min} to ${max}`;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return rule;
  const entries: [string, unknown][] = Object.entries(value);
  const unknown = entries.find(([name]) => !isToolName(name));
  if (unknown) return `${rule}; the known tools are ${TOOL_NAMES.join(', ')}`;
  const wrong = entries.find(
    ([, count]) => typeof count !== 'number' || !Number.isInteger(count) || count < min || count > max,
  );
  return wrong && `${rule}; that of ${wrong[0]} is not`;
}
