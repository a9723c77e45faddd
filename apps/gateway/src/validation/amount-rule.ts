import { COST_RANGE } from '@copilot/limits';
import { ValidateBy } from 'class-validator';

const { above, max } = COST_RANGE;

/** An amount of money that something may cost. */
export function IsAmount(): PropertyDecorator {
  return ValidateBy({
    name: 'isAmount',
    validator: {
      validate: (value: unknown) => typeof value === 'number' && value > above && value <= max,
      defaultMessage: () => `must be a number above ${above} and up to ${max}`,
    },
  });
}
