// Reselling costs digit by digit, and which files belong together.
import fc from 'fast-check';
import Big from 'big.js';
import { describe, expect, test } from 'vitest';
import type { AssignRule, MarkUp, Selling } from './contract.ts';
import { costUnits } from './rules-exact.ts';
import { fileGroups, groupMark } from './rules-files.ts';
import type { Scope } from './rules-line.ts';
import { marginPercent, markUpOf, missingFee, ruleOf, soldBasisOf, soldFor, soldText } from './rules-sell.ts';
import type { Id } from '#kernel/ids.ts';

const units = (text: string): bigint => costUnits(text) ?? 0n;

describe('resale prices', () => {
  test.each([
    ['1', '15', '1', '1.15'],
    ['0.0000000000005', '0', '1', '0.000000000001'],
    ['-0.0000000000005', '0', '1', '-0.000000000001'],
    ['0.00000000000049', '0', '1', '0'],
    ['10', '-100', '1', '0'],
    ['2', '0', '31.234567890123', '62.469135780246'],
    ['0.000000000003', '50', '1', '0.000000000005'],
  ])(
    'T-COST: %s with %s %% at a rate of %s is %s, rounded once, half away from zero',
    (cost, percent, rate, sold) => expect(soldText(soldFor(units(cost), percent, rate))).toBe(sold),
  );

  test('T-COST: any cost, markup and rate gives the same result as another library', () => {
    const scaled = (digits: number) => (n: bigint) => Big(n.toString()).div(Big(10).pow(digits)).toFixed();
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
        fc.bigInt({ min: -(10n ** 14n), max: 10n ** 15n }).map(scaled(12)),
        fc.bigInt({ min: 1n, max: 10n ** 16n }).map(scaled(12)),
        (cost, percent, rate) => {
          const exact = Big(cost.toString())
            .times(Big(percent).plus(100))
            .times(rate)
            .times('1e-20')
            .round(12, 1);
          expect(soldText(soldFor(cost, percent, rate))).toBe(exact.eq(0) ? '0' : exact.toFixed());
        },
      ),
    );
  });

  const selling = (more: Partial<Selling>): Selling => ({
    costBasis: 'billed',
    sellBasis: 'cost',
    passesCredits: false,
    markUps: [],
    ...more,
  });
  const line = { billed: 3n, effective: 2n, list: 5n };
  test.each([
    ['usage', {}, 3n],
    ['usage', { costBasis: 'effective' }, 2n],
    ['usage', { sellBasis: 'list' }, 5n],
    ['purchase', { sellBasis: 'list' }, 3n],
    ['credit', {}, 0n],
    ['discount', { passesCredits: true }, 3n],
    ['refund', {}, 3n],
    ['tax', { passesCredits: true }, 0n],
  ] as const)('T-COST: of %s with %o is sold %s', (kind, more, basis) =>
    expect(soldBasisOf(selling(more), { ...line, kind })).toBe(basis),
  );

  test('T-COST: a minimum adds the difference to the fee, and nothing if that is reached', () => {
    expect(soldText(missingFee('100', 41n * 10n ** 12n, units('26')))).toBe('85');
    expect(missingFee('10', 41n * 10n ** 12n, units('26'))).toBe(0n);
  });

  test('T-COST: a margin is a percentage of the sales; it is missing for zero', () => {
    expect(marginPercent(115n, 100n)).toBe('13.04');
    expect(marginPercent(100n, 150n)).toBe('-50');
    expect(marginPercent(0n, 5n)).toBeNull();
  });
});

describe('the customer of a cost', () => {
  const customer = { subscriptionId: 'sub_1', organizationId: 'org_1' };
  const markUp = (percent: string, more: object = {}): MarkUp => ({
    organizationId: null,
    subscriptionId: null,
    service: '',
    percent,
    minimumFee: null,
    ...more,
  });
  test('T-COST: a rule for a customer precedes one for a service, and a narrower one a wider one', () => {
    const all = [
      markUp('1'),
      markUp('2', { service: 'S3' }),
      markUp('3', { organizationId: 'org_1' }),
      markUp('4', { organizationId: 'org_1', service: 'S3' }),
      markUp('5', { subscriptionId: 'sub_1' }),
      markUp('6', { subscriptionId: 'sub_1', service: 'S3' }),
      markUp('7', { subscriptionId: 'sub_2', service: 'S3' }),
    ];
    for (let left = all.length - 1; left > 0; left--)
      expect(markUpOf(all.slice(0, left).toReversed(), customer, 'S3')?.percent).toBe(
        String(left > 6 ? 6 : left),
      );
    expect(markUpOf(all, customer, 'EC2')?.percent).toBe('5');
    expect(markUpOf([], customer, 'S3')).toBeUndefined();
  });

  test('T-COST: the first matching rule decides; nothing matches a missing field', () => {
    const scope: Scope = {
      provider: 'AWS',
      account: '1',
      subAccount: '222',
      subAccountName: '',
      resourceGroup: '',
      tags: { team: 'web', empty: '' },
    };
    const rule = (field: AssignRule['field'], value: string, tag = ''): AssignRule => ({
      field,
      value,
      tag,
      subscriptionId: 'sub_1' as Id<'sub'>,
    });
    expect(
      ruleOf([rule('subAccount', '2'), rule('tag', 'we*', 'team'), rule('provider', 'AWS')], scope),
    ).toBe(1);
    expect(ruleOf([rule('subAccount', '22*')], scope)).toBe(0);
    for (const none of [
      rule('subAccountName', '*'),
      rule('tag', '*', 'empty'),
      rule('tag', '*', 'constructor'),
    ])
      expect(ruleOf([none], scope)).toBeUndefined();
  });
});

describe('files in a folder', () => {
  const now = new Date('2024-10-02T00:00:00Z');
  const file = (name: string, minutes = 10, bytes = 5) => ({
    name,
    bytes,
    mark: `${name}-${minutes}`,
    modifiedAt: new Date(now.getTime() - minutes * 60_000),
  });
  test('T-COST: numbered parts are one import, other names are separate ones, oldest first', () => {
    const groups = fileGroups(
      [
        file('data/BILLING_PERIOD=2024-09/x-00001.csv.gz', 5),
        file('data/BILLING_PERIOD=2024-09/x-00002.csv.gz', 30),
        file('data/BILLING_PERIOD=2024-10/x-00001.csv.gz', 20),
        file('azure/run-1/part_0_0001.csv', 40),
        file('azure/run-1/part_1_0001.csv', 41),
        file('gcp/export-000000000000.csv', 50),
        file('gcp/export-000000000001.csv', 50),
        file('focus-2024-09.csv', 60),
        file('focus-2024-10.csv', 61),
        file('azure/run-1/manifest.json'),
        file('empty.csv', 10, 0),
        file('notes.txt'),
      ],
      now,
    );
    expect(groups.map(({ name, files }) => [name, files.length])).toEqual([
      ['focus-2024-10', 1],
      ['focus-2024-09', 1],
      ['gcp/export', 2],
      ['azure/run-1/part', 2],
      ['data/BILLING_PERIOD=2024-10/x', 1],
      ['data/BILLING_PERIOD=2024-09/x', 2],
    ]);
  });
  test('T-COST: Oracle writes only new data: its files of a month are one import', () => {
    const names = (paths: readonly string[]) =>
      fileGroups(
        paths.map((path) => file(path)),
        now,
      ).map(({ name, files }) => [name, files.length]);
    expect(
      names([
        'FOCUS Reports/2024/09/14/0001000001386262-00001.csv.gz',
        'FOCUS Reports/2024/09/15/0001000001387777-00001.csv.gz',
        'FOCUS Reports/2024/10/01/0001000001399999-00001.csv.gz',
      ]),
    ).toEqual([
      ['FOCUS Reports/2024/09', 2],
      ['FOCUS Reports/2024/10', 1],
    ]);
    expect(
      names(['reports/cost-csv/0001000000603747.csv.gz', 'reports/cost-csv/0001000000604000.csv.gz']),
    ).toEqual([['reports/cost-csv/', 2]]);
  });
  test('T-COST: a file that may still be written waits, and a changed part makes a new version', () => {
    const parts = [file('x-00001.csv', 10), file('x-00002.csv', 1)];
    expect(fileGroups(parts, new Date(now.getTime() - 120_000))).toEqual([]);
    const [before] = fileGroups(parts, now);
    const [after] = fileGroups([file('x-00001.csv', 9), file('x-00002.csv', 1)], now);
    expect(before && after && groupMark(before) !== groupMark(after)).toBe(true);
  });
});
