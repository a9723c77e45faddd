import { CURRENCY_PATTERN, isPrice, PRICE_RANGE } from '@copilot/contracts';
import { ValidateBy } from 'class-validator';

const { min, max, decimals } = PRICE_RANGE;

/** A price a million tokens. */
export function IsPrice(): PropertyDecorator {
  return ValidateBy({
    name: 'isPrice',
    validator: {
      validate: isPrice,
      defaultMessage: () => `must be a number from ${min} to ${max} with at most ${decimals} decimal places`,
    },
  });
}

export function IsCurrency(): PropertyDecorator {
  return ValidateBy({
    name: 'isCurrency',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && CURRENCY_PATTERN.test(value),
      defaultMessage: () => 'must be a currency code of three capital letters, for example "USD"',
    },
  });
}
