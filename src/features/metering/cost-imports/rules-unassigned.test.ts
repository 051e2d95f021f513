// Unassigned cost by account.
import { describe, expect, test } from 'vitest';
import { ruleOf } from './rules-sell.ts';
import { openAccounts, type OpenCost } from './rules-unassigned.ts';

const part = (
  subAccount: string,
  cost: bigint,
  more: Partial<OpenCost['scope']> = {},
  currency = 'USD',
): OpenCost => ({
  scope: {
    provider: 'AWS',
    account: 'payer',
    subAccount,
    subAccountName: '',
    resourceGroup: '',
    tags: {},
    ...more,
  },
  currency,
  cost,
});

describe('unassigned cost', () => {
  test('T-COST: is grouped by account with its parts, count and sum by currency; sorted by size, including refunds', () => {
    const found = openAccounts([
      part('a', 3n, { tags: { env: 'prod' } }),
      part('b', 5n),
      part('a', -10n, { subAccountName: 'Shop', tags: { env: 'dev' } }),
      part('a', 1n, {}, 'EUR'),
    ]);
    expect(
      found.map(({ subAccount, subAccountName, sums, parts }) => [
        subAccount,
        subAccountName,
        [...sums],
        parts.map(({ cost }) => cost),
      ]),
    ).toEqual([
      [
        'a',
        'Shop',
        [
          ['USD', -7n],
          ['EUR', 1n],
        ],
        [-10n, 3n, 1n],
      ],
      ['b', '', [['USD', 5n]], [5n]],
    ]);
  });

  test('T-COST: an account’s rule covers every part of it and no other account', () => {
    const parts = [
      part('a', 1n, { tags: { x: '1' } }),
      part('a', 2n),
      part('b', 3n),
      part('', 4n),
      part('', 5n, { account: '' }),
    ];
    const accounts = openAccounts(parts);
    expect(accounts).toHaveLength(4);
    const taken = (subAccount: string): bigint[] => {
      const by = accounts.find((each) => each.subAccount === subAccount)?.by;
      return by
        ? parts
            .filter(({ scope }) => ruleOf([{ ...by, subscriptionId: null }], scope) === 0)
            .map(({ cost }) => cost)
        : [];
    };
    expect(taken('a')).toEqual([1n, 2n]);
    expect(taken('b')).toEqual([3n]);
    // Cost without a sub-account belongs to the billing account.
    expect(accounts.filter(({ subAccount }) => subAccount === '').map(({ by }) => by)).toEqual([
      { field: 'provider', tag: '', value: 'AWS' },
      { field: 'account', tag: '', value: 'payer' },
    ]);
  });
});
