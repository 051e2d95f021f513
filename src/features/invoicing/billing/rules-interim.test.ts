// Interim bills: what is due before the month is over, and that the month's own bill deducts it again
// (R-BILL-05).
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decimal } from '#kernel/decimal.ts';
import type { Id } from '#kernel/ids.ts';
import { money, type Money } from '#kernel/money.ts';
import { wholeScope } from '#features/invoicing/credit-grants/rules.ts';
import type { PlannedBillLine } from './rules-late.ts';
import { chargedOfLines, interimLines, type InterimBill } from './rules-interim.ts';
import {
  billWithTerms,
  noTerms,
  planInterimBill,
  takenOf,
  type BillPlan,
  type Terms,
} from './rules-terms.ts';

const twd = (minor: bigint | number): Money => money(BigInt(minor), 'TWD');
const name = { zhTW: '截至今天的用量', enUS: 'Usage until today' };
const line = (
  amount: bigint | number,
  service = 'vm',
  kind: PlannedBillLine['kind'] = 'usage',
): PlannedBillLine => ({
  kind,
  subscriptionId: `sub_${service}`,
  serviceId: `svc_${service}`,
  serviceName: service,
  priceVersionId: 'prv_1',
  quantity: '1',
  unit: 'hours',
  unitPrice: String(amount),
  exact: decimal(String(amount)),
  amount: twd(amount),
  steps: [],
  forMonth: null,
});
const interim = (id: string, amounts: Readonly<Record<string, bigint | number>>): InterimBill => ({
  id: `bil_${id}` as Id<'bil'>,
  number: `B-${id}`,
  currency: 'TWD',
  lines: Object.entries(amounts).map(([service, minor]) => ({
    subscriptionId: `sub_${service}`,
    serviceId: `svc_${service}`,
    serviceName: service,
    minor: BigInt(minor),
  })),
});
const grant = (kind: 'paid' | 'promotional', available: number): Terms['grants'][number] => ({
  id: `cgr_${kind}` as Id<'cgr'>,
  version: 1n,
  kind,
  name,
  available: twd(available),
  isOfMonth: false,
  scope: wholeScope,
});
const half: Terms['discounts'][number] = {
  redemptionId: 'rdm_1' as Id<'rdm'>,
  version: 1n,
  name,
  reduction: { kind: 'percent', percent: '50' },
  maximum: null,
  scope: { subscriptionId: null, services: null },
  isOnce: false,
};
const plan = (base: readonly PlannedBillLine[], terms: Partial<Terms> = {}): BillPlan =>
  billWithTerms('TWD', base, { ...noTerms, ...terms }, '5');
const dueOf = (base: readonly PlannedBillLine[], terms: Partial<Terms> = {}, threshold = 1000) => {
  const running = plan(base, terms);
  return interimLines(
    running,
    terms.interims ?? [],
    takenOf('TWD', running.applied.prepaid),
    { id: 'itt_1', amount: twd(threshold) },
    name,
  );
};
const shown = (lines: readonly PlannedBillLine[]): string =>
  lines.map(({ serviceName, amount }) => `${serviceName} ${amount.minor}`).join(', ');

describe('T-INTERIM: what an interim bill charges, at a threshold of 1,000', () => {
  test.each<[string, PlannedBillLine[], Partial<Terms>, string]>([
    ['below the threshold', [line(999)], {}, ''],
    ['at the threshold', [line(1000)], {}, 'vm 1000'],
    ['of several services', [line(700), line(400, 'db')], {}, 'vm 700, db 400'],
    ['fees are not usage', [line(5000, 'vm', 'base_fee'), line(999)], {}, ''],
    ['a minimum is not due before the month is over', [line(10), line(5000, 'vm', 'minimum')], {}, ''],
    ['the deduction of a maximum', [line(3000), line(-1800, 'vm', 'maximum')], {}, 'vm 1200'],
    ['after a discount', [line(2400)], { discounts: [half] }, 'vm 1200'],
    ['a discount that leaves less', [line(1800)], { discounts: [half] }, ''],
    ['after promotional credit', [line(2000)], { grants: [grant('promotional', 700)] }, 'vm 1300'],
    ['earlier bills', [line(2500)], { interims: [interim('1', { vm: 1400 })] }, 'vm 1100'],
    ['not enough since then', [line(2300)], { interims: [interim('1', { vm: 1400 })] }, ''],
    [
      'a service whose usage was corrected below its billed amount',
      [line(100), line(2600, 'db')],
      { interims: [interim('1', { vm: 1000 })] },
      'db 1700',
    ],
    // 2,100 with tax, of which prepaid credit will pay half.
    ['the part that prepaid credit will not pay', [line(2000)], { grants: [grant('paid', 1050)] }, 'vm 1000'],
    ['prepaid credit for everything', [line(2000)], { grants: [grant('paid', 5000)] }, ''],
    ['a credit of another line', [line(2000), line(-900, 'db', 'credit')], {}, 'vm 1100'],
  ])('%s', (_words, base, terms, expected) => {
    expect(shown(dueOf(base, terms))).toBe(expected);
  });

  test('the steps show total usage, earlier bills and the excluded part, and add up to the line', () => {
    const [of] = dueOf([line(4000)], {
      interims: [interim('1', { vm: 1500 })],
      grants: [grant('paid', 1050)],
    });
    expect(of?.steps.map(({ kind, amount }) => [kind, amount])).toEqual([
      ['used', '4000'],
      ['billed', '-1500'],
      ['covered', '-1000'],
    ]);
    expect(of?.amount).toEqual(twd(1500));
    expect(of?.term).toMatchObject({ id: 'itt_1', name });
  });
});

test('the monthly bill deducts interim bills by service, and may be negative', () => {
  const interims = [interim('1', { vm: 1000, db: 200 }), interim('2', { vm: 500 })];
  const of = plan([line(1600), line(100, 'db')], { interims });
  expect(
    of.lines
      .slice(2)
      .map(({ kind, serviceName, amount, term }) => [kind, serviceName, amount.minor, term?.name.enUS]),
  ).toEqual([
    ['interim_deduction', 'vm', -1000n, 'B-1'],
    ['interim_deduction', 'db', -200n, 'B-1'],
    ['interim_deduction', 'vm', -500n, 'B-2'],
  ]);
  expect(of.net).toEqual(twd(0));
  expect(of.applied.interims).toEqual(['bil_1', 'bil_2']);
  expect(plan([line(100)], { interims }).net).toEqual(twd(-1600));
  // A discount applies to usage, not to the unpaid rest.
  expect(plan([line(2000)], { interims: [interim('1', { vm: 900 })], discounts: [half] }).net).toEqual(
    twd(100),
  );
});

test('the final charge of a line is less its deductions plus its additions', () => {
  const share = (lineId: string, minor: bigint) => ({ lineId, amount: twd(minor) });
  expect(
    chargedOfLines([
      { amount: 100n, shares: undefined },
      { amount: 50n, shares: undefined },
      { amount: -30n, shares: [share('1', 20n), share('2', 10n)] },
      { amount: 5n, shares: [share('2', -5n)] },
    ]),
  ).toEqual([80n, 45n, -30n, 5n]);
});

test('however usage changes and is billed: no interim bill exceeds the month’s cost, and all bills together equal it', () => {
  const growth = fc.array(
    fc.record({ vm: fc.integer({ min: -300, max: 2_000 }), db: fc.integer({ min: -300, max: 2_000 }) }),
    { minLength: 1, maxLength: 8 },
  );
  const terms = fc.record({
    isHalf: fc.boolean(),
    promotional: fc.nat(1_500),
    paid: fc.nat(2_500),
    feeOf: fc.integer({ min: -500, max: 800 }),
    threshold: fc.integer({ min: 1, max: 1_500 }),
  });
  fc.assert(
    fc.property(growth, terms, (steps, { isHalf, promotional, paid, feeOf, threshold }) => {
      const used = { vm: 0, db: 0 };
      const interims: InterimBill[] = [];
      let billed = 0n;
      const agreed = (): Partial<Terms> => ({
        discounts: isHalf ? [half] : [],
        grants: [grant('promotional', promotional), grant('paid', paid)].filter(
          ({ available }) => available.minor > 0n,
        ),
        interims,
      });
      const base = () => [
        line(used.vm),
        line(used.db, 'db'),
        line(feeOf, 'vm', feeOf < 0 ? 'credit' : 'base_fee'),
      ];
      for (const step of steps) {
        used.vm = Math.max(0, used.vm + step.vm);
        used.db = Math.max(0, used.db + step.db);
        const lines = dueOf(base(), agreed(), threshold);
        if (lines.length === 0) continue;
        const now = plan(base(), agreed());
        const bill = planInterimBill('TWD', lines, '5');
        expect(bill.net.minor >= BigInt(threshold)).toBe(true);
        expect(bill.net.minor <= now.net.minor).toBe(true);
        expect(
          lines.every(({ amount, exact }) => amount.minor > 0n && exact.eq(decimal(String(amount.minor)))),
        ).toBe(true);
        interims.push(
          interim(
            String(interims.length),
            Object.fromEntries(lines.map(({ serviceName, amount }) => [serviceName, amount.minor])),
          ),
        );
        billed += bill.net.minor;
        // Prepaid credit for the month is still available to it.
        const after = plan(base(), agreed());
        expect(
          takenOf('TWD', after.applied.prepaid).minor >= takenOf('TWD', now.applied.prepaid).minor - 1n,
        ).toBe(true);
        expect(dueOf(base(), agreed(), threshold)).toEqual([]);
      }
      const whole = plan(base(), { ...agreed(), interims: [] });
      expect(plan(base(), agreed()).net.minor + billed).toBe(whole.net.minor);
    }),
    { numRuns: 400 },
  );
});
