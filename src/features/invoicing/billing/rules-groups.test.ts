import { describe, expect, it } from 'vitest';
import { money, moneyText } from '#kernel/money.ts';
import type { BillLine } from './contract.ts';
import { groupLines } from './rules-groups.ts';

const line = (id: string, of: string, key: string | null, amount: bigint, kind: BillLine['kind'] = 'usage') =>
  ({
    id,
    kind,
    subscriptionId: `sub_${of}` as BillLine['subscriptionId'],
    serviceName: of,
    ...(key !== null && { charge: { key, name: { zhTW: key, enUS: key } } }),
    quantity: '1',
    unit: 'GB',
    unitPrice: null,
    exact: String(amount),
    total: money(amount, 'TWD'),
  }) satisfies BillLine;

describe('the lines of a bill by service', () => {
  it('keeps the order of services and groups the lines of a charge, with the sum of several lines', () => {
    const groups = groupLines(
      [
        line('1', 'a', 'seats', 100n, 'base_fee'),
        line('2', 'b', null, 7n),
        line('3', 'a', 'traffic', 20n),
        line('4', 'a', 'seats', -30n, 'credit'),
      ],
      'TWD',
    );
    expect(
      groups.map(({ serviceName, lines, subtotal }) => [
        serviceName,
        lines.map(({ id }) => id).join(' '),
        subtotal && moneyText(subtotal),
      ]),
    ).toEqual([
      ['a', '1 4 3', moneyText(money(90n, 'TWD'))],
      ['b', '2', undefined],
    ]);
  });

  it('distinguishes two subscriptions to one service', () => {
    const [first, second] = [
      line('1', 'a', null, 1n),
      { ...line('2', 'a', null, 2n), subscriptionId: 'sub_2' as never },
    ];
    expect(groupLines([first, second], 'TWD').map(({ subtotal }) => subtotal)).toEqual([
      undefined,
      undefined,
    ]);
  });
});
