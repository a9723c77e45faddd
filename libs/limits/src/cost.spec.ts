import { describe, expect, it } from '@jest/globals';
import { NO_USAGE, type ModelPrices } from '@copilot/contracts';
import fc from 'fast-check';
import { amountText, priceOf, spentOn, toAmount, toMoney, withCost } from './cost';

const PRICES: ModelPrices = {
  input_price: 0.15,
  cached_input_price: 0.075,
  output_price: 0.6,
  currency: 'USD',
};
const tokens = (input_tokens: number, output_tokens: number, cached_input_tokens = 0) => ({
  input_tokens,
  cached_input_tokens,
  output_tokens,
});

describe('cost', () => {
  it('is per million tokens: input, cached input and output, each at its price', () => {
    expect(toAmount(priceOf(tokens(1_000_000, 0), PRICES))).toBe(0.15);
    expect(toAmount(priceOf(tokens(1_000_000, 0, 1_000_000), PRICES))).toBe(0.075);
    expect(toAmount(priceOf(tokens(0, 1_000_000), PRICES))).toBe(0.6);
    expect(toAmount(priceOf(tokens(1_200, 50, 1_000), PRICES))).toBe(0.000135);
  });

  it('counts cached input as any other where its price is not given', () => {
    const { cached_input_price: _none, ...plain } = PRICES;
    expect(priceOf(tokens(100, 0, 40), plain)).toBe(priceOf(tokens(100, 0), plain));
  });

  it('does not go below the input where a provider reports more cached tokens than input', () => {
    expect(priceOf(tokens(10, 0, 999), PRICES)).toBe(priceOf(tokens(10, 0, 10), PRICES));
  });

  it('is exact: the cost of all calls is the sum of the cost of each, however many there are', () => {
    const call = fc.record({
      input_tokens: fc.nat(2_000_000),
      cached_input_tokens: fc.nat(2_000_000),
      output_tokens: fc.nat(200_000),
    });
    const price = fc.integer({ min: 0, max: 1_000_000_000 }).map((millionths) => millionths / 1e6);
    fc.assert(
      fc.property(fc.array(call, { maxLength: 60 }), price, price, (calls, input_price, output_price) => {
        const prices = { input_price, output_price, currency: 'EUR' };
        const sum = calls.reduce(
          (total, each) =>
            tokens(
              total.input_tokens + each.input_tokens,
              total.output_tokens + each.output_tokens,
              total.cached_input_tokens + Math.min(each.cached_input_tokens, each.input_tokens),
            ),
          tokens(0, 0),
        );
        const one = calls.reduce((total, each) => total + priceOf(each, prices), 0n);
        expect(priceOf(sum, prices)).toBe(one);
      }),
    );
  });

  it('a tenth of a cent a hundred times is ten cents, which floating point is not', () => {
    const cheap = { input_price: 0.1, output_price: 0.2, currency: 'USD' };
    expect(toAmount(priceOf(tokens(3_000_000, 0), cheap))).toBe(0.3);
    expect(0.1 + 0.1 + 0.1).not.toBe(0.3);
  });

  it.each([0.05, 0.000001, 12.345678, 999_999.999999, 1e-12])(
    '%d survives the way to units and back',
    (amount) => {
      expect(toAmount(toMoney(amount))).toBe(amount);
    },
  );

  it('of a run includes its hidden calls; without prices it is unknown and not zero', () => {
    const usage = { ...NO_USAGE, ...tokens(1_000, 100), overhead: tokens(500, 10) };
    expect(spentOn(usage, PRICES)).toBe(priceOf(tokens(1_500, 110), PRICES));
    expect(withCost(usage, PRICES).cost).toEqual({ amount: 0.000291, currency: 'USD' });
    expect(withCost(usage, null).cost).toBeNull();
  });

  it.each([
    [0.05, '0.05 USD'],
    [1, '1 USD'],
    [10, '10 USD'],
    [0, '0 USD'],
    [0.1234567, '0.123457 USD'],
    [1e-9, 'less than 0.000001 USD'],
  ])('%d is written as %s', (amount, text) => expect(amountText(amount, 'USD')).toBe(text));
});
