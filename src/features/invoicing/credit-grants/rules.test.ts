// Credit grants pay no more than they have, in a fixed order, for the lines in their scope; every ledger
// entry has a counterpart.
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { Id } from '#kernel/ids.ts';
import { money, type Currency, type Money } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { addMonths } from '#kernel/time.ts';
import type { GrantKind } from './contract.ts';
import {
  amountMistake,
  availableIn,
  burn,
  byBurnOrder,
  endedEntries,
  grantCovers,
  grantedEntries,
  grantMistake,
  lastMonthOf,
  missingOf,
  scopeOf,
  topUpDue,
  warningDue,
  wholeScope,
  type BurnLine,
  type BurnRank,
  type GrantFigures,
  type GrantInForce,
  type LineNature,
  type Scope,
} from './rules.ts';

const month = (text: string) => text as BillingMonth;
const twd = (minor: bigint): Money => money(minor, 'TWD');

const once: GrantFigures = {
  amount: 1000n,
  startsOn: month('2026-10'),
  lastMonth: month('2026-12'),
  recurring: null,
  isWithdrawn: false,
  granted: 1000n,
  taken: 0n,
  takenInMonth: 0n,
};
const monthly: GrantFigures = { ...once, amount: 100n, granted: 0n, recurring: { rollover: false } };
const rolling: GrantFigures = { ...monthly, recurring: { rollover: true } };

describe('T-GRANT: the credit that a grant can give to a month’s bill', () => {
  it.each<[string, GrantFigures, string, bigint]>([
    ['one-time: all of it in its first month', once, '2026-10', 1000n],
    ['one-time: in its last month, too', once, '2026-12', 1000n],
    ['nothing before it starts', once, '2026-09', 0n],
    ['nothing after its last month', once, '2027-01', 0n],
    ['in any later month without a last one', { ...once, lastMonth: null }, '2031-05', 1000n],
    ['one-time: less other months’ use', { ...once, taken: 400n }, '2026-11', 600n],
    ['nothing when it is used up', { ...once, taken: 1000n }, '2026-11', 0n],
    ['nothing when it was withdrawn', { ...once, isWithdrawn: true }, '2026-11', 0n],
    [
      'monthly: each month’s amount, whatever other months used',
      { ...monthly, taken: 250n },
      '2026-12',
      100n,
    ],
    [
      'monthly: less that month’s use',
      { ...monthly, granted: 300n, taken: 250n, takenInMonth: 30n },
      '2026-12',
      70n,
    ],
    ['monthly: nothing of an earlier month’s rest', { ...monthly, granted: 200n }, '2026-11', 100n],
    ['monthly: a future month that was not granted yet', monthly, '2026-12', 100n],
    ['rolling: the first month’s amount', rolling, '2026-10', 100n],
    ['rolling: three months’ amounts in the third', rolling, '2026-12', 300n],
    ['rolling: less all use', { ...rolling, taken: 120n }, '2026-12', 180n],
    [
      'rolling: an earlier month whose amount later months used up',
      { ...rolling, taken: 250n },
      '2026-10',
      0n,
    ],
    ['rolling: across the turn of a year', { ...rolling, lastMonth: null }, '2027-02', 500n],
    ['nothing of a withdrawn recurring one', { ...rolling, isWithdrawn: true }, '2026-12', 0n],
  ])('%s', (_name, grant, of, expected) => {
    expect(availableIn(grant, month(of))).toBe(expected);
  });

  test('is never below zero, and without rollover never above a month’s amount', () => {
    const months = fc.integer({ min: -30, max: 30 }).map((count) => addMonths(month('2026-10'), count));
    fc.assert(
      fc.property(
        fc.record({
          amount: fc.bigInt(1n, 10n ** 15n),
          granted: fc.bigInt(0n, 10n ** 15n),
          taken: fc.bigInt(0n, 10n ** 15n),
          takenInMonth: fc.bigInt(0n, 10n ** 15n),
          startsOn: months,
          lastMonth: fc.option(months),
          recurring: fc.option(fc.record({ rollover: fc.boolean() })),
          isWithdrawn: fc.boolean(),
        }),
        months,
        (grant, of) => {
          const available = availableIn(grant, of);
          expect(available >= 0n).toBe(true);
          if (grant.recurring && !grant.recurring.rollover) expect(available <= grant.amount).toBe(true);
          if (of < grant.startsOn || (grant.lastMonth !== null && of > grant.lastMonth))
            expect(available).toBe(0n);
        },
      ),
    );
  });
});

describe('T-GRANT: the order in which grants are used', () => {
  const rank = (id: string, priority: number, lastMonth: string | null, day: number): BurnRank => ({
    id,
    priority,
    lastMonth: lastMonth === null ? null : month(lastMonth),
    createdAt: new Date(Date.UTC(2026, 9, day)),
  });
  test('is priority, then expiry, then age, then id', () => {
    const sorted = [
      rank('f', 50, null, 1),
      rank('e', 50, '2026-12', 2),
      rank('d', 50, '2026-12', 1),
      rank('c', 50, '2026-12', 1),
      rank('b', 50, '2026-11', 9),
      rank('a', 10, null, 9),
    ].toSorted(byBurnOrder);
    expect(sorted.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  });
});

describe('T-GRANT: the lines that a grant covers', () => {
  const line = (serviceId: string | null, nature: LineNature, chargeKey: string | null = null) => ({
    serviceId,
    chargeKey,
    nature,
  });
  it.each<[string, readonly string[] | null, boolean, ReturnType<typeof line>, boolean]>([
    ['all services: a fee', null, false, line('svc_a', 'fee'), true],
    ['all services: a line without a service', null, false, line(null, 'other'), true],
    ['usage only: usage', null, true, line('svc_a', 'usage'), true],
    ['usage only: no fee', null, true, line('svc_a', 'fee'), false],
    ['usage only: nothing else', null, true, line(null, 'other'), false],
    ['one service: its fee', ['svc_a'], false, line('svc_a', 'fee'), true],
    ['one service: no other one’s', ['svc_a'], false, line('svc_b', 'fee'), false],
    ['one service: no line without a service', ['svc_a'], false, line(null, 'usage'), false],
    ['one service’s usage: its usage', ['svc_b', 'svc_a'], true, line('svc_a', 'usage'), true],
    ['one service’s usage: not its fee', ['svc_a'], true, line('svc_a', 'fee'), false],
  ])('%s', (_name, services, usageOnly, of, expected) => {
    expect(grantCovers({ services, charges: null, usageOnly }, of)).toBe(expected);
  });

  const hours = { serviceId: 'svc_a', chargeKey: 'hours' };
  it.each<[string, Partial<Scope>, ReturnType<typeof line>, boolean]>([
    ['one charge: its line', {}, line('svc_a', 'usage', 'hours'), true],
    ['one charge: no other one of its service', {}, line('svc_a', 'usage', 'disk'), false],
    ['one charge: no line of its service without a charge', {}, line('svc_a', 'usage'), false],
    ['one charge: not the same key of another service', {}, line('svc_b', 'usage', 'hours'), false],
    ['one charge: no line without a service', {}, line(null, 'other'), false],
    ['one charge’s usage: not its fee', { usageOnly: true }, line('svc_a', 'fee', 'hours'), false],
    [
      'a charge of one of two services: the other one as a whole',
      { services: ['svc_a', 'svc_b'] },
      line('svc_b', 'fee', 'support'),
      true,
    ],
    [
      'a charge of one of two services: of the first only that charge',
      { services: ['svc_a', 'svc_b'] },
      line('svc_a', 'fee', 'support'),
      false,
    ],
    [
      'two charges: either of them',
      { charges: [hours, { serviceId: 'svc_a', chargeKey: 'disk' }] },
      line('svc_a', 'usage', 'disk'),
      true,
    ],
  ])('%s', (_name, scope, of, expected) => {
    const whole: Scope = { services: null, charges: [hours], usageOnly: false, ...scope };
    expect(grantCovers(scopeOf(whole), of)).toBe(expected);
  });

  test('a scope is stored in one order, each service and charge once; charges imply their services', () => {
    const disk = { serviceId: 'svc_a', chargeKey: 'disk' };
    const other = { serviceId: 'svc_b', chargeKey: 'a' };
    expect(scopeOf({ services: null, charges: [other, hours, disk, { ...hours }], usageOnly: true })).toEqual(
      {
        services: ['svc_a', 'svc_b'],
        charges: [disk, hours, other],
        usageOnly: true,
      },
    );
    expect(scopeOf({ services: ['svc_b', 'svc_a', 'svc_b'], usageOnly: false })).toEqual({
      services: ['svc_a', 'svc_b'],
      charges: null,
      usageOnly: false,
    });
    expect(scopeOf({ services: null, usageOnly: false })).toEqual(wholeScope);
  });
});

/** Largest remainder, written for this test. */
const spread = (amount: Money, left: readonly Money[]): Money[] => {
  const weights = left.map((each) => (each.minor > 0n ? each.minor : 0n));
  const whole = weights.reduce((sum, weight) => sum + weight, 0n);
  const total = amount.minor < whole ? amount.minor : whole;
  if (whole === 0n) return left.map(({ currency }) => money(0n, currency));
  const parts = weights.map((weight) => (total * weight) / whole);
  let open = total - parts.reduce((sum, part) => sum + part, 0n);
  const order = weights
    .map((weight, index) => ({ index, fraction: (total * weight) % whole }))
    .toSorted((a, b) => (a.fraction === b.fraction ? a.index - b.index : a.fraction > b.fraction ? -1 : 1));
  for (const { index } of order) {
    if (open === 0n) break;
    parts[index] = (parts[index] ?? 0n) + 1n;
    open -= 1n;
  }
  return parts.map((part) => money(part, amount.currency));
};
const grant = (
  id: string,
  available: bigint,
  scope: Partial<Scope> = {},
  currency: Currency = 'TWD',
): GrantInForce => ({
  id: id as Id<'cgr'>,
  version: 0n,
  kind: 'promotional',
  name: { zhTW: id, enUS: id },
  available: money(available, currency),
  isOfMonth: false,
  scope: { ...wholeScope, ...scope },
});
const line = (
  serviceId: string | null,
  nature: LineNature,
  left: bigint,
  chargeKey: string | null = null,
): BurnLine => ({ serviceId, chargeKey, nature, left });

describe('T-GRANT: payments of grants on a bill', () => {
  const lines = [
    line('svc_vm', 'fee', 1000n),
    line('svc_vm', 'usage', 500n),
    line('svc_disk', 'usage', 250n),
    line('svc_vm', 'fee', -100n),
  ];

  test('each grant pays the covered lines after those before it', () => {
    expect(
      burn(
        spread,
        [
          // Only of the machine’s usage: all of its 500.
          grant('cgr_a', 800n, { services: ['svc_vm'], usageOnly: true }),
          // Of all usage: only the disk's 250 is left.
          grant('cgr_b', 200n, { services: null, usageOnly: true }),
          // Of everything: 1000 + 50 are left; 525 of it is half of each.
          grant('cgr_c', 525n),
        ],
        lines,
      ),
    ).toEqual([
      { grantId: 'cgr_a', amount: twd(500n), shares: [0n, 500n, 0n, 0n] },
      { grantId: 'cgr_b', amount: twd(200n), shares: [0n, 0n, 200n, 0n] },
      { grantId: 'cgr_c', amount: twd(525n), shares: [500n, 0n, 25n, 0n] },
    ]);
  });

  test('credit for a charge pays only that charge, and credit for everything pays the rest', () => {
    const card = [
      line('svc_vm', 'usage', 400n, 'hours'),
      line('svc_vm', 'fee', 300n, 'support'),
      line('svc_disk', 'usage', 200n, 'hours'),
    ];
    const hours = [{ serviceId: 'svc_vm', chargeKey: 'hours' }];
    expect(
      burn(
        spread,
        [grant('cgr_a', 1000n, { services: ['svc_vm'], charges: hours }), grant('cgr_b', 250n)],
        card,
      ),
    ).toEqual([
      { grantId: 'cgr_a', amount: twd(400n), shares: [400n, 0n, 0n] },
      { grantId: 'cgr_b', amount: twd(250n), shares: [0n, 150n, 100n] },
    ]);
  });

  test('a grant that covers nothing, or finds nothing left, pays nothing', () => {
    expect(
      burn(
        spread,
        [
          grant('cgr_a', 10n, { services: ['svc_other'], usageOnly: false }),
          grant('cgr_b', 5000n),
          grant('cgr_c', 5000n),
        ],
        lines,
      ),
    ).toEqual([{ grantId: 'cgr_b', amount: twd(1750n), shares: [1000n, 500n, 250n, 0n] }]);
    expect(burn(spread, [], lines)).toEqual([]);
    expect(burn(spread, [grant('cgr_a', 10n)], [])).toEqual([]);
    expect(burn(spread, [grant('cgr_a', 10n)], [line(null, 'other', -5n)])).toEqual([]);
  });

  test('grants of two currencies are a bug', () => {
    expect(() => burn(spread, [grant('cgr_a', 10n), grant('cgr_b', 10n, undefined, 'USD')], lines)).toThrow(
      'one currency',
    );
  });

  test('shares add up, no grant pays more than it has, and no line gets more than its rest, in any order', () => {
    const services = ['svc_a', 'svc_b', 'svc_c'];
    const minor = fc.oneof(fc.bigInt(-50n, 50n), fc.bigInt(-(10n ** 12n), 10n ** 12n));
    const someLines = fc.array(
      fc.record({
        serviceId: fc.option(fc.constantFrom(...services)),
        chargeKey: fc.option(fc.constantFrom('a', 'b')),
        nature: fc.constantFrom<LineNature>('fee', 'usage', 'other'),
        left: minor,
      }),
      { maxLength: 12 },
    );
    const someGrants = fc.array(
      fc.record({
        available: fc.oneof(fc.bigInt(1n, 50n), fc.bigInt(1n, 10n ** 12n)),
        services: fc.option(fc.uniqueArray(fc.constantFrom(...services), { minLength: 1 })),
        charges: fc.option(
          fc.array(
            fc.record({ serviceId: fc.constantFrom(...services), chargeKey: fc.constantFrom('a', 'b') }),
            { minLength: 1, maxLength: 4 },
          ),
        ),
        usageOnly: fc.boolean(),
      }),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(someLines, someGrants, (given, terms) => {
        const grants = terms.map(({ available, ...scope }, index) => grant(`cgr_${index}`, available, scope));
        const burned = burn(spread, grants, given);
        const left = given.map((each) => (each.left > 0n ? each.left : 0n));
        const open = (scope: GrantInForce['scope']) =>
          given.reduce(
            (sum, each, index) => (grantCovers(scope, each) ? sum + (left[index] ?? 0n) : sum),
            0n,
          );
        for (const one of grants) {
          const took = burned.find(({ grantId }) => grantId === one.id);
          // As much as it has and its lines leave at its turn.
          const most = open(one.scope);
          const expected = one.available.minor < most ? one.available.minor : most;
          expect(took?.amount.minor ?? 0n).toBe(expected);
          if (!took) continue;
          expect(took.shares.length).toBe(given.length);
          expect(took.shares.reduce((sum, share) => sum + share, 0n)).toBe(expected);
          for (const [index, share] of took.shares.entries()) {
            expect(share >= 0n).toBe(true);
            left[index] = (left[index] ?? 0n) - share;
            expect((left[index] ?? 0n) >= 0n).toBe(true);
            const of = given[index];
            if (share > 0n && of) expect(grantCovers(one.scope, of)).toBe(true);
            // Independent of the rule: a paid line belongs to a named charge, if its service has one.
            const named = one.scope.charges?.filter(({ serviceId }) => serviceId === of?.serviceId) ?? [];
            if (share > 0n && named.length > 0)
              expect(named.map(({ chargeKey }) => chargeKey)).toContain(of?.chargeKey);
          }
        }
        // In the grants' order.
        expect(burned.map(({ grantId }) => grantId)).toEqual(
          burned.map(({ grantId }) => grantId).toSorted((a, b) => (a < b ? -1 : 1)),
        );
      }),
      { numRuns: 500 },
    );
  });
});

describe('T-GRANT: ledger entries of grants', () => {
  const owned = (kind: GrantKind) => ({ organizationId: 'org_1', kind, amount: twd(300n) });
  const short = (entries: ReturnType<typeof grantedEntries>) =>
    entries.map(({ account, minor }) => [account.kind, account.organizationId, minor]);

  it.each<[string, ReturnType<typeof grantedEntries>, unknown]>([
    [
      'paid credit is bought with the balance',
      grantedEntries(owned('paid')),
      [
        ['balance', 'org_1', 300n],
        ['deferred_revenue', 'org_1', -300n],
      ],
    ],
    [
      'promotional credit is a cost',
      grantedEntries(owned('promotional')),
      [
        ['promotions', null, 300n],
        ['promotional_credit', 'org_1', -300n],
      ],
    ],
    [
      'withdrawn paid credit returns to the balance',
      endedEntries(owned('paid'), 'withdrawn'),
      [
        ['deferred_revenue', 'org_1', 300n],
        ['balance', 'org_1', -300n],
      ],
    ],
    [
      'expired paid credit is breakage',
      endedEntries(owned('paid'), 'expired'),
      [
        ['deferred_revenue', 'org_1', 300n],
        ['breakage', null, -300n],
      ],
    ],
    [
      'withdrawn promotional credit reverses its cost',
      endedEntries(owned('promotional'), 'withdrawn'),
      [
        ['promotional_credit', 'org_1', 300n],
        ['promotions', null, -300n],
      ],
    ],
    [
      'expired promotional credit, too',
      endedEntries(owned('promotional'), 'expired'),
      [
        ['promotional_credit', 'org_1', 300n],
        ['promotions', null, -300n],
      ],
    ],
  ])('%s', (_name, entries, expected) => {
    expect(short(entries)).toEqual(expected);
  });

  test('sum to zero for any grant and end', () => {
    fc.assert(
      fc.property(
        fc.constantFrom<GrantKind>('paid', 'promotional'),
        fc.bigInt(1n, 10n ** 15n),
        fc.constantFrom<'expired' | 'withdrawn'>('expired', 'withdrawn'),
        (kind, minor, how) => {
          const part = { organizationId: 'org_1', kind, amount: money(minor, 'USD') };
          for (const entries of [grantedEntries(part), endedEntries(part, how)]) {
            expect(entries.reduce((sum, entry) => sum + entry.minor, 0n)).toBe(0n);
            expect(entries.every((entry) => entry.account.currency === 'USD')).toBe(true);
          }
          // Granted and ended again, the organization’s credit is as before.
          const own = [...grantedEntries(part), ...endedEntries(part, how)].filter(({ account }) =>
            ['deferred_revenue', 'promotional_credit'].includes(account.kind),
          );
          expect(own.reduce((sum, entry) => sum + entry.minor, 0n)).toBe(0n);
        },
      ),
    );
  });
});

describe('T-GRANT: rejected grants', () => {
  const given = {
    kind: 'promotional' as GrantKind,
    amount: twd(1n),
    startsOn: month('2026-11'),
    lastMonth: null as BillingMonth | null,
    recurring: null as object | null,
  };
  const current = month('2026-11');
  it.each<[string, typeof given, string | undefined, string | undefined]>([
    ['nothing for a plain one', given, undefined, undefined],
    ['no amount', { ...given, amount: twd(0n) }, 'creditgrants.amount_not_positive', 'amount'],
    ['13 digits', { ...given, amount: twd(10n ** 12n) }, 'creditgrants.amount_too_large', 'amount'],
    ['not 12 digits', { ...given, amount: twd(10n ** 12n - 1n) }, undefined, undefined],
    ['not 12 digits and cents', { ...given, amount: money(10n ** 14n - 1n, 'USD') }, undefined, undefined],
    ['paid monthly', { ...given, kind: 'paid', recurring: {} }, 'creditgrants.paid_recurs', 'recurring'],
    ['not the previous month', { ...given, startsOn: month('2026-10') }, undefined, undefined],
    ['two months ago', { ...given, startsOn: month('2026-09') }, 'creditgrants.starts_too_early', 'startsOn'],
    [
      'an end before the start',
      { ...given, lastMonth: month('2026-10') },
      'creditgrants.ends_too_early',
      'expiresOn',
    ],
    ['not one month', { ...given, lastMonth: month('2026-11') }, undefined, undefined],
  ])('%s', (_name, of, code, field) => {
    expect(grantMistake(of, current)).toEqual(code === undefined ? undefined : { code, field });
  });
  test('an amount is also rejected by itself', () => {
    expect(amountMistake(twd(-1n))?.code).toBe('creditgrants.amount_not_positive');
    expect(amountMistake(twd(1n))).toBeUndefined();
  });
});

describe('T-GRANT: buying credit', () => {
  it('covers the bills of so many months', () => {
    expect(lastMonthOf(month('2026-11'), 1)).toBe('2026-11');
    expect(lastMonthOf(month('2026-11'), 12)).toBe('2027-10');
    expect(lastMonthOf(month('2026-11'), null)).toBeNull();
  });
  it.each<[bigint, bigint, bigint]>([
    [100n, 100n, 0n],
    [100n, 99n, 1n],
    [100n, 500n, 0n],
    // A negative balance lacks no more than the amount.
    [100n, -5n, 100n],
  ])('%s of a balance of %s lacks %s', (amount, balance, missing) => {
    expect(missingOf(twd(amount), twd(balance))).toEqual(twd(missing));
  });

  const state = { left: 500n, planned: 0n, threshold: 500n, amount: 1000n, cap: 3000n, bought: 0n };
  it.each<[string, Partial<typeof state>, ReturnType<typeof topUpDue>]>([
    ['not at its threshold', {}, 'enough'],
    ['below it', { left: 499n }, 'due'],
    ['by the expected use of open months', { planned: 1n }, 'due'],
    ['up to its cap', { left: 0n, bought: 2000n }, 'due'],
    ['not above its cap, not even in part', { left: 0n, bought: 2001n }, 'capped'],
  ])('auto top-up buys: %s', (_name, of, expected) => {
    expect(topUpDue({ ...state, ...of })).toBe(expected);
  });

  it.each<[bigint, bigint, boolean, ReturnType<typeof warningDue>]>([
    [500n, 0n, false, null],
    [499n, 0n, false, 'warn'],
    [500n, 1n, false, 'warn'],
    [499n, 0n, true, null],
    [500n, 0n, true, 'rearm'],
  ])(
    'the warning below 500 at %s less %s planned, warned before: %s',
    (left, planned, isWarned, expected) => {
      expect(warningDue({ left, planned, threshold: 500n, isWarned })).toBe(expected);
    },
  );
});
