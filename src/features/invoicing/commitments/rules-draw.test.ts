// What bills draw from commitments and the effect on their lines, exact to the last unit.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { required } from '#kernel/assert.ts';
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { roundedFraction } from '#tests/support/arbitraries.ts';
import {
  commitmentCovers,
  commitmentOfLine,
  drawDown,
  type CommitmentInForce,
  type Drawn,
  type DrawLine,
} from './rules.ts';

const january = '2026-01' as BillingMonth;
const march = '2026-03' as BillingMonth;
const commitment = (terms: Partial<CommitmentInForce> = {}): CommitmentInForce => ({
  id: 'cmt_1' as Id<'cmt'>,
  version: 1n,
  name: { zhTW: '承諾', enUS: 'Commitment' },
  scope: { services: null, usageOnly: false },
  currency: 'TWD',
  committedPercent: '100',
  overagePercent: '100',
  period: { index: 0, firstMonth: january, lastMonth: march },
  amount: 1000n,
  target: terms.amount ?? 1000n,
  drawn: 0n,
  trueUp: 0n,
  settles: false,
  ...terms,
});
const usage = (...left: number[]): DrawLine[] =>
  left.map((each) => ({ serviceId: 'svc_a', nature: 'usage', left: BigInt(each) }));
const total = (amounts: readonly bigint[]): bigint => amounts.reduce((sum, each) => sum + each, 0n);
const numbers = ({ committed, overage, drawn, trueUp }: Drawn) => ({
  committed: committed.map(Number),
  overage: overage.map(Number),
  drawn: Number(drawn),
  trueUp: Number(trueUp),
});

const rates = (committedPercent: string, overagePercent = '100', more: Partial<CommitmentInForce> = {}) => ({
  committedPercent,
  overagePercent,
  ...more,
});

describe('T-CMT: the lines that a commitment covers', () => {
  test.each([
    [{ services: null, usageOnly: false }, 'svc_a', 'fee', true],
    [{ services: null, usageOnly: false }, null, 'fee', true],
    [{ services: null, usageOnly: false }, 'svc_a', 'other', false],
    [{ services: null, usageOnly: true }, 'svc_a', 'fee', false],
    [{ services: null, usageOnly: true }, 'svc_a', 'usage', true],
    [{ services: ['svc_a'], usageOnly: false }, 'svc_a', 'usage', true],
    [{ services: ['svc_a'], usageOnly: false }, 'svc_b', 'usage', false],
    [{ services: ['svc_a'], usageOnly: false }, null, 'usage', false],
    [{ services: ['svc_a'], usageOnly: false }, 'svc_a', 'other', false],
  ] as const)('%j and a line of %s, %s: %s', (scope, serviceId, nature, isCovered) => {
    expect(commitmentCovers(scope, { serviceId, nature })).toBe(isCovered);
  });

  test.each<[string, { serviceId: string; chargeKey: string | null }, boolean]>([
    ['the named charge', { serviceId: 'svc_a', chargeKey: 'disk' }, true],
    ['another charge of its service', { serviceId: 'svc_a', chargeKey: 'cpu' }, false],
    ['a line of its service without a charge', { serviceId: 'svc_a', chargeKey: null }, false],
    ['a service without named charges', { serviceId: 'svc_b', chargeKey: 'cpu' }, true],
    ['another service', { serviceId: 'svc_c', chargeKey: 'disk' }, false],
  ])('single charges: %s', (_words, line, isCovered) => {
    const scope = {
      services: ['svc_a', 'svc_b'],
      charges: [{ serviceId: 'svc_a', chargeKey: 'disk' }],
      usageOnly: false,
    };
    expect(commitmentCovers(scope, { ...line, nature: 'usage' })).toBe(isCovered);
  });

  test('a line belongs to the first commitment that covers it, and to no other', () => {
    const named = commitment({ scope: { services: ['svc_a'], usageOnly: true } });
    const all = commitment();
    const of = (serviceId: string, nature: DrawLine['nature']) =>
      commitmentOfLine([named, all], { serviceId, nature });
    expect(of('svc_a', 'usage')).toBe(named);
    expect(of('svc_a', 'fee')).toBe(all);
    expect(of('svc_b', 'usage')).toBe(all);
    expect(of('svc_a', 'other')).toBeUndefined();
  });
});

describe('T-CMT: use by a bill', () => {
  const at = (committedPercent: string, overagePercent = '100', rest: Partial<CommitmentInForce> = {}) =>
    commitment({ committedPercent, overagePercent, ...rest });
  test.each<[string, CommitmentInForce, number[], Partial<ReturnType<typeof numbers>>]>([
    ['no line', at('80'), [], { committed: [], overage: [], drawn: 0, trueUp: 0 }],
    ['the list price', at('100'), [400], { committed: [0], drawn: 400 }],
    ['80 % of the price', at('80'), [400, 100], { committed: [-80, -20], overage: [0, 0], drawn: 400 }],
    ['exactly used up', at('80'), [1250], { committed: [-250], overage: [0], drawn: 1000 }],
    [
      'one unit more: 1250 at 80 % are the amount, the last one is at list price',
      at('80'),
      [1251],
      { committed: [-250], overage: [0], drawn: 1000 },
    ],
    [
      'at 120 % beyond: 1000 at list price, 500 more by a fifth',
      at('100', '120'),
      [1500],
      { committed: [0], overage: [100], drawn: 1000 },
    ],
    [
      'at 90 % beyond',
      at('80', '90'),
      [1250, 1250],
      { committed: [-125, -125], overage: [-63, -62], drawn: 1000 },
    ],
    [
      'only the rest of the amount',
      at('80', '100', { drawn: 900n }),
      [1125],
      { committed: [-25], overage: [0], drawn: 100 },
    ],
    [
      'nothing left: everything is beyond',
      at('80', '150', { drawn: 1000n }),
      [10, 20],
      { committed: [0, 0], overage: [5, 10], drawn: 0 },
    ],
    [
      'more used than committed, because the amount was lowered',
      at('80', '150', { drawn: 1200n }),
      [10],
      { committed: [0], overage: [5], drawn: 0 },
    ],
    [
      'a third that no decimal can express: 1000 / 0.3 = 3333.33 at the committed rate',
      at('30', '60'),
      [5000],
      { committed: [-2333], overage: [-667], drawn: 1000 },
    ],
    [
      'halves are rounded away from zero, once for all lines',
      at('50'),
      [1, 1, 1],
      { committed: [-1, -1, 0], drawn: 1 },
    ],
    [
      'the units of both rates go to different lines where one would fall below zero',
      at('50', '50', { amount: 1n }),
      [1, 1, 1, 1],
      { committed: [-1, 0, 0, 0], overage: [0, -1, 0, 0], drawn: 1 },
    ],
    [
      'a refund counts with its sign',
      at('80'),
      [1000, -900],
      { committed: [-200, 180], overage: [0, 0], drawn: 80 },
    ],
    [
      'lines that cancel each other out keep their rate',
      at('80'),
      [500, -500],
      { committed: [-100, 100], drawn: 0 },
    ],
    [
      'refunds return their amount at the committed rate',
      at('80', '100', { drawn: 500n }),
      [-100],
      { committed: [20], overage: [0], drawn: -80 },
    ],
    [
      'but at most what was used',
      at('80', '100', { drawn: 50n }),
      [-100],
      { committed: [20], overage: [0], drawn: -50 },
    ],
    [
      'nothing once the refunded bill was voided',
      at('80', '100', { drawn: -50n }),
      [-100],
      { committed: [20], drawn: 0 },
    ],
    [
      'which later bills make up for first',
      at('80', '100', { drawn: -50n, amount: 30n }),
      [100],
      { committed: [-20], overage: [0], drawn: 80 },
    ],
    [
      'four digits of a percentage',
      at('99.9999', '100', { amount: 10_000_000n }),
      [1_000_000],
      { committed: [-1], drawn: 999_999 },
    ],
  ])('%s', (_name, terms, left, expected) => {
    expect(numbers(drawDown(terms, usage(...left)))).toMatchObject(expected);
  });

  test('uncovered lines neither change nor count', () => {
    const terms = at('80', '100', { scope: { services: ['svc_a'], usageOnly: true } });
    const lines: DrawLine[] = [
      { serviceId: 'svc_b', nature: 'usage', left: 100n },
      { serviceId: 'svc_a', nature: 'usage', left: 100n },
      { serviceId: 'svc_a', nature: 'fee', left: 100n },
      { serviceId: 'svc_a', nature: 'other', left: -100n },
    ];
    expect(numbers(drawDown(terms, lines))).toMatchObject({ committed: [0, -20, 0, 0], drawn: 80 });
  });
});

describe('T-CMT: the true-up of a settled period', () => {
  test.each<[string, Partial<CommitmentInForce>, number, number]>([
    ['not while the period runs', { settles: false }, 100, 0],
    ['the shortfall', { settles: true, drawn: 300n }, 100, 600],
    ['zero when everything is used', { settles: true, drawn: 900n }, 100, 0],
    ['zero when more is used', { settles: true, drawn: 900n }, 500, 0],
    ['without any line', { settles: true }, 0, 1000],
    ['the target of an early end', { settles: true, target: 250n, drawn: 100n }, 0, 150],
    ['a target above the amount, too', { settles: true, target: 4000n, drawn: 900n }, 500, 3000],
    ['the shortfall beside an earlier charge', { settles: true, drawn: 300n, trueUp: 600n }, 50, 50],
    ['lowered when more is used now', { settles: true, drawn: 300n, trueUp: 600n }, 150, -50],
    ['zero when everything is used now', { settles: true, drawn: 400n, trueUp: 600n }, 700, -600],
  ])('%s', (_name, terms, left, trueUp) => {
    expect(drawDown(commitment(terms), usage(left)).trueUp).toBe(BigInt(trueUp));
  });
});

const percents = fc.oneof(
  fc.constantFrom('100', '80', '50', '33.3333', '0.0001', '99.9999', '12.5', '66.6667'),
  fc.integer({ min: 1, max: 1_000_000 }).map((units) => (units / 10_000).toFixed(4)),
);
const overagePercents = fc.oneof(percents, fc.constantFrom('120', '150', '1000', '100.0001'));
const charges = fc.oneof(fc.bigInt(0n, 20n), fc.bigInt(0n, 50_000n));
const anyAmounts = fc.oneof(charges, fc.bigInt(-20n, 20n), fc.bigInt(-50_000n, 50_000n));
const linesOf = (amounts: fc.Arbitrary<bigint>): fc.Arbitrary<DrawLine[]> =>
  fc.array(
    fc.record({
      serviceId: fc.constantFrom('svc_a', 'svc_b', null),
      nature: fc.constantFrom<DrawLine['nature'][]>('usage', 'usage', 'fee', 'other'),
      left: amounts,
    }),
    { maxLength: 9 },
  );
const anyCommitment = fc
  .record({
    scope: fc.record({
      services: fc.constantFrom<(string[] | null)[]>(null, ['svc_a'], ['svc_a', 'svc_b']),
      usageOnly: fc.boolean(),
    }),
    committedPercent: percents,
    overagePercent: overagePercents,
    amount: fc.oneof(fc.bigInt(1n, 30n), fc.bigInt(1n, 100_000n)),
    target: fc.bigInt(0n, 200_000n),
    drawnShare: fc.integer({ min: 0, max: 100 }),
    settles: fc.boolean(),
    trueUp: fc.bigInt(0n, 100_000n),
  })
  .map(({ drawnShare, ...terms }) =>
    commitment({ ...terms, drawn: (terms.amount * BigInt(drawnShare)) / 100n }),
  );
const runs = { numRuns: 3000 };
/** In units of 10⁻⁴ %. */
const units = (percent: string): bigint => {
  const [integer = '0', fraction = ''] = percent.split('.');
  return BigInt(integer + fraction.padEnd(4, '0'));
};
const hundred = 1_000_000n;
const leftOf = (terms: CommitmentInForce, lines: readonly DrawLine[]): bigint[] =>
  lines.map((line) => (commitmentCovers(terms.scope, line) ? line.left : 0n));

describe('T-CMT: the use by each line', () => {
  test.each<[string, Partial<CommitmentInForce>, number[], number[]]>([
    ['its price at the committed rate', rates('80'), [400, 100], [320, 80]],
    ['its own price at 100 %, where no line says so', rates('100'), [70, 30], [70, 30]],
    // 1,000 of 1,500 at 100 %: two thirds of each; with equal remainders the first lines get the units.
    ['its part of a split bill', rates('100', '150'), [1000, 250, 250], [667, 167, 166]],
    ['zero when everything was used before', rates('80', '150', { drawn: 1000n }), [5, 10], [0, 0]],
    ['negative for a refund', rates('80', '100', { drawn: 500n }), [-100], [-80]],
    ['refunds at most what was used', rates('80', '100', { drawn: 50n }), [-100, -100], [-25, -25]],
  ])('%s', (_name, terms, lefts, parts) => {
    const lines = lefts.map((left): DrawLine => ({
      serviceId: 'svc_a',
      nature: 'usage',
      left: BigInt(left),
    }));
    expect(drawDown(commitment(terms), lines).drawnOf.map(Number)).toEqual(parts);
  });
});

describe('T-CMT: each line’s part within the commitment, before its rate', () => {
  test.each<[string, Partial<CommitmentInForce>, number[], number[] | null]>([
    ['everything: not split', rates('80', '120'), [600, 200], null],
    ['the last unit: not split', rates('100', '100'), [1000], null],
    // 400 at 80 % are 500.
    ['a half', rates('80', '120', { drawn: 600n }), [1000], [500]],
    ['the same part of each line', rates('80', '120', { drawn: 600n }), [800, 200], [400, 100]],
    ['even if both rates are the list price', rates('100', '100', { drawn: 600n }), [1000], [400]],
    // 100 at 75 % are 133.33, of lines of 100, 200 and 300.
    ['with the largest remainder', rates('75', '100', { drawn: 900n }), [100, 200, 300], [22, 44, 67]],
    ['of a refund, too', rates('100', '120', { drawn: 500n }), [1200, -200], [600, -100]],
    ['zero once it is used up', rates('80', '120', { drawn: 1000n }), [1000], [0]],
  ])('%s', (_name, terms, lefts, parts) => {
    const { withinOf } = drawDown(commitment(terms), usage(...lefts));
    expect(withinOf?.map(Number) ?? null).toEqual(parts);
  });
});

describe('T-CMT: for any commitment and any lines', () => {
  test('a split of the sum costs the rest of the amount, and takes no more of a line than it has', () => {
    fc.assert(
      fc.property(anyCommitment, linesOf(anyAmounts), (terms, lines) => {
        const { withinOf } = drawDown(terms, lines);
        const left = leftOf(terms, lines);
        const rate = units(terms.committedPercent);
        const room = terms.amount - terms.drawn;
        expect(withinOf !== null).toBe(total(left) > 0n && total(left) * rate > room * hundred);
        if (withinOf === null) return;
        expect(total(withinOf)).toBe(roundedFraction(room * hundred, rate));
        for (const [index, part] of withinOf.entries()) {
          const whole = required(left[index], 'what is left of the line');
          expect(whole < 0n ? part <= 0n && part >= whole : part >= 0n && part <= whole).toBe(true);
        }
      }),
      runs,
    );
  });

  test('the parts of the lines add up to the use; uncovered lines use nothing', () => {
    fc.assert(
      fc.property(anyCommitment, linesOf(anyAmounts), (terms, lines) => {
        const { drawn, drawnOf } = drawDown(terms, lines);
        expect(total(drawnOf)).toBe(drawn);
        for (const [index, line] of lines.entries())
          if (!commitmentCovers(terms.scope, line) || line.left === 0n) expect(drawnOf[index]).toBe(0n);
      }),
      runs,
    );
  });

  test('the changes equal the exact fractions, each rounded once', () => {
    fc.assert(
      fc.property(anyCommitment, linesOf(anyAmounts), (terms, lines) => {
        const { committed, overage, drawn } = drawDown(terms, lines);
        const sum = total(leftOf(terms, lines));
        const [cp, op] = [units(terms.committedPercent), units(terms.overagePercent)];
        const room = terms.amount - terms.drawn;
        if (sum <= 0n || sum * cp <= room * hundred) {
          const change = roundedFraction(sum * (cp - hundred), hundred);
          expect(total(committed)).toBe(change);
          expect(total(overage)).toBe(0n);
          expect(drawn).toBe(sum + change < -terms.drawn ? -terms.drawn : sum + change);
        } else {
          expect(total(committed)).toBe(roundedFraction(room * (cp - hundred), cp));
          expect(total(overage)).toBe(
            roundedFraction((sum * cp - room * hundred) * (op - hundred), cp * hundred),
          );
          expect(drawn).toBe(room);
        }
      }),
      runs,
    );
  });

  test('the total use is between zero and the amount', () => {
    fc.assert(
      fc.property(anyCommitment, linesOf(anyAmounts), (terms, lines) => {
        const inAll = terms.drawn + drawDown(terms, lines).drawn;
        expect(inAll >= 0n && inAll <= terms.amount).toBe(true);
      }),
      runs,
    );
  });

  test('the use and the part beyond it add up to the lines’ new amounts', () => {
    fc.assert(
      fc.property(anyCommitment, linesOf(charges), (terms, lines) => {
        const { committed, overage, drawn } = drawDown(terms, lines);
        const sum = total(leftOf(terms, lines));
        const beyond = sum + total(committed) + total(overage) - drawn;
        const [cp, op] = [units(terms.committedPercent), units(terms.overagePercent)];
        const exact = sum * cp - (terms.amount - terms.drawn) * hundred;
        // Of the sum, exact / cp is beyond the amount, and costs op; two roundings are half a unit each.
        const off = beyond * cp * hundred - (exact > 0n ? exact * op : 0n);
        expect(off <= cp * hundred && -off <= cp * hundred).toBe(true);
      }),
      runs,
    );
  });

  test('no charge falls below zero, no refund rises above it, and uncovered lines do not change', () => {
    fc.assert(
      fc.property(anyCommitment, linesOf(anyAmounts), (terms, lines) => {
        const { committed, overage } = drawDown(terms, lines);
        for (const [index, line] of lines.entries()) {
          const changes = required(committed[index], 'a change') + required(overage[index], 'a change');
          if (!commitmentCovers(terms.scope, line) || line.left === 0n) expect(changes).toBe(0n);
          else if (line.left > 0n) expect(line.left + changes >= 0n).toBe(true);
          else expect(line.left + changes <= 0n).toBe(true);
        }
      }),
      runs,
    );
  });

  test('each charged line is within two units of its exact share', () => {
    fc.assert(
      fc.property(anyCommitment, linesOf(charges), (terms, lines) => {
        const { committed } = drawDown(terms, lines);
        const left = leftOf(terms, lines);
        const [sum, change] = [total(left), total(committed)];
        for (const [index, amount] of left.entries()) {
          const off = required(committed[index], 'a change') * sum - change * amount;
          expect(off <= 2n * sum && -off <= 2n * sum).toBe(true);
        }
      }),
      runs,
    );
  });

  test('at 100 and 100 % no line changes', () => {
    fc.assert(
      fc.property(anyCommitment, linesOf(anyAmounts), (terms, lines) => {
        const { committed, overage } = drawDown(
          { ...terms, committedPercent: '100', overagePercent: '100' },
          lines,
        );
        expect([...committed, ...overage].every((change) => change === 0n)).toBe(true);
      }),
    );
  });

  test('the order of the lines does not change the totals', () => {
    const sums = ({ committed, overage, drawn, trueUp }: Drawn) => [
      total(committed),
      total(overage),
      drawn,
      trueUp,
    ];
    fc.assert(
      fc.property(anyCommitment, linesOf(anyAmounts), (terms, lines) => {
        expect(sums(drawDown(terms, lines.toReversed()))).toEqual(sums(drawDown(terms, lines)));
      }),
    );
  });

  test('a thousand times the amounts gives a thousand times the changes, except rounding', () => {
    const times = 1000n;
    fc.assert(
      fc.property(anyCommitment, linesOf(anyAmounts), (terms, lines) => {
        const small = drawDown(terms, lines);
        const large = drawDown(
          { ...terms, amount: terms.amount * times, drawn: terms.drawn * times },
          lines.map((line) => ({ ...line, left: line.left * times })),
        );
        for (const key of ['committed', 'overage'] as const) {
          const off = total(large[key]) - total(small[key]) * times;
          expect(2n * off <= times && -2n * off <= times).toBe(true);
        }
      }),
    );
  });

  test('two months’ bills charge the same as one, except one unit of rounding each', () => {
    fc.assert(
      fc.property(anyCommitment, linesOf(charges), linesOf(charges), (terms, first, second) => {
        const [cp, op] = [units(terms.committedPercent), units(terms.overagePercent)];
        const one = drawDown(terms, [...first, ...second]);
        const a = drawDown(terms, first);
        const b = drawDown({ ...terms, drawn: terms.drawn + a.drawn }, second);
        const charged = (...bills: Drawn[]): bigint =>
          bills.reduce((sum, bill) => sum + total(bill.committed) + total(bill.overage), 0n);
        const off = charged(one) - charged(a, b);
        // Half a unit of use is a share of op / cp at the overage rate, which a low cp makes large.
        const most = 2n + op / cp;
        expect(off <= most && -off <= most).toBe(true);
        const drawnOff = one.drawn - a.drawn - b.drawn;
        expect(drawnOff <= 2n && -drawnOff <= 2n).toBe(true);
      }),
      runs,
    );
  });
});

describe('T-CMT: bills of a period that are issued, voided and reissued', () => {
  type Bill = { readonly month: number; readonly lines: DrawLine[] } & Drawn;
  const steps = fc.array(fc.record({ month: fc.integer({ min: 0, max: 2 }), lines: linesOf(anyAmounts) }), {
    minLength: 1,
    maxLength: 8,
  });
  /** Issues the bill of a month, in place of the valid one. */
  function issue(terms: CommitmentInForce, bills: readonly Bill[], month: number, lines: DrawLine[]): Bill {
    const others = bills.filter((bill) => bill.month !== month);
    const isSettled = others.some((bill) => bill.month === 2);
    const found = drawDown(
      {
        ...terms,
        drawn: total(others.map(({ drawn }) => drawn)),
        trueUp: total(others.map(({ trueUp }) => trueUp)),
        settles: month === 2 || isSettled,
      },
      lines,
    );
    return { month, lines, ...found };
  }

  test('once settled, use plus true-up equals the target, unless more was used', () => {
    fc.assert(
      fc.property(anyCommitment, steps, linesOf(charges), (drawnTerms, history, last) => {
        const terms = { ...drawnTerms, drawn: 0n, trueUp: 0n };
        let bills: Bill[] = [];
        for (const { month, lines } of [{ month: 2, lines: last }, ...history]) {
          const bill = issue(terms, bills, month, lines);
          bills = [...bills.filter((each) => each.month !== month), bill];
          const sum = total(bills.map((each) => each.drawn));
          const drawn = sum > 0n ? sum : 0n;
          const missing = terms.target > drawn ? terms.target - drawn : 0n;
          expect(total(bills.map((each) => each.trueUp))).toBe(missing);
        }
      }),
      runs,
    );
  });

  test('a reissued bill is the same to the last unit', () => {
    fc.assert(
      fc.property(anyCommitment, steps, (terms, history) => {
        let bills: Bill[] = [];
        for (const { month, lines } of history)
          bills = [...bills.filter((each) => each.month !== month), issue(terms, bills, month, lines)];
        const again = required(bills.at(-1), 'the last bill');
        expect(issue(terms, bills, again.month, again.lines)).toEqual(again);
      }),
    );
  });
});
