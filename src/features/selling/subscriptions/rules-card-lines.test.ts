// A month's bill of a rate card is its estimate, to the last digit (R-BILL-05).
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decimal, decimalText, sumDecimals } from '#kernel/decimal.ts';
import { moneyText, sumMoney } from '#kernel/money.ts';
import type { BillingMonth, LocalDay } from '#kernel/shape.ts';
import { dayPeriod } from '#kernel/time.ts';
import { decimalTexts, prices, quantities } from '#tests/support/arbitraries.ts';
import type { RateCardPricing } from '#features/selling/catalogue/contract.ts';
import { estimateFor } from '#features/selling/catalogue/rules-estimate.ts';
import type { Charge } from '#features/selling/rating/contract.ts';
import { rateCardMistake, usageOfQuantity } from '#features/selling/rating/rules.ts';
import type { PricedPlan, Timeline } from './rules-fees.ts';
import { linesOf, planTimes } from './rules-lines.ts';
import { monthParts } from './rules-month-parts.ts';

const zone = 'Asia/Taipei';
const month = '2026-04' as BillingMonth;
const name = { zhTW: '費用', enUS: 'Fee' };
const at = (day: string): Date => dayPeriod(day as LocalDay, zone).start;

const model = fc.oneof(
  fc.record({ model: fc.constant('flat' as const), amount: prices }),
  fc.record({
    model: fc.constant('per_unit' as const),
    unitPrice: prices,
    included: fc.option(prices, { nil: undefined }),
  }),
  fc.record({
    model: fc.constantFrom('graduated' as const, 'volume' as const),
    tiers: fc
      .tuple(decimalTexts(1n, 1000n), prices, prices, prices)
      .map(([upTo, unitPrice, other, flatFee]) => [
        { upTo, unitPrice, flatFee },
        { upTo: null, unitPrice: other },
      ]),
  }),
  fc.record({
    model: fc.constant('package' as const),
    packageSize: decimalTexts(1n, 1000n),
    packagePrice: prices,
    rounding: fc.constantFrom('up' as const, 'down' as const),
  }),
);
const limits = fc.record({
  minimum: fc.option(prices, { nil: undefined }),
  maximum: fc.option(prices, { nil: undefined }),
});
const fees = fc
  .tuple(model, limits)
  .map(([price, limit]) => ({ ...price, ...limit, kind: 'recurring' as const }));
const usage = fc
  .tuple(fc.oneof(model, fc.record({ model: fc.constant('dynamic' as const) })), limits)
  .map(([price, limit]) => ({ ...price, ...limit, kind: 'usage' as const, meter: 'm' }));
const cards: fc.Arbitrary<RateCardPricing> = fc
  .tuple(fc.array(fees, { maxLength: 4 }), usage, limits, fc.constantFrom('TWD' as const, 'USD' as const))
  .map(([some, one, limit, currency]) => ({
    model: 'rate_card' as const,
    currency,
    ...limit,
    charges: [...some, one].map((charge, index) => ({ ...charge, key: `c${index}`, name }) as Charge),
  }))
  .filter((card) => rateCardMistake(card) === undefined);

test('for any charges, quantities and limits', () => {
  fc.assert(
    fc.property(cards, fc.integer({ min: 1, max: 999 }), quantities, (card, count, used) => {
      const plan: PricedPlan = {
        id: 'vm',
        name: 'vm',
        billingCycle: 'monthly',
        proration: 'day',
        prices: [{ id: 'v1', effectiveFrom: at('2020-01-01'), pricing: card }],
      };
      const timeline: Timeline = {
        startedAt: at('2026-01-01'),
        endsAt: null,
        trialEndsAt: null,
        pauses: [],
        phases: [{ from: at('2026-01-01'), serviceId: 'vm', quantity: String(count), yearAnchor: null }],
      };
      const planOf = () => plan;
      const key = card.charges.at(-1)?.key ?? '';
      const usageOf = { usage: usageOfQuantity(decimal(used)), unit: 'h', events: 1n };
      const lines = linesOf(
        {
          subscriptionId: 'sub',
          serviceName: 'vm',
          timeline,
          planOf,
          times: planTimes(monthParts(timeline, planOf, month, zone)).map((time) => ({
            ...time,
            unit: 'h',
            quantity: decimal(used),
            events: 1n,
            charges: new Map([[key, usageOf]]),
          })),
        },
        month,
        zone,
      );
      const estimate = estimateFor(card, { quantity: String(count), usage: { [key]: used } });
      expect(decimalText(sumDecimals(lines.map(({ exact }) => exact)))).toBe(estimate.exact);
      expect(
        moneyText(
          sumMoney(
            lines.map(({ amount }) => amount),
            card.currency,
          ),
        ),
      ).toBe(moneyText(estimate.amount));
      for (const { charge, exact } of lines)
        if (charge)
          expect(estimate.charges?.find((each) => each.key === charge.key)?.exact).toBe(decimalText(exact));
    }),
    { numRuns: 300 },
  );
});
