import { describe, expect, it } from 'vitest';
import { money } from '#kernel/money.ts';
import type { BillLine } from '../contract.ts';
import { partsOf, shareOf } from './bill-parts.ts';

const line = (serviceName: string, minor: number): BillLine => ({
  id: `${serviceName} ${minor}`,
  kind: 'usage',
  subscriptionId: null,
  serviceName,
  quantity: '1',
  unit: '',
  unitPrice: null,
  exact: String(minor),
  total: money(BigInt(minor), 'TWD'),
});

describe('R-BILL-01 the parts of a bill', () => {
  it('are its services, the largest first, each with all of its lines', () => {
    expect(partsOf([line('db', 100), line('vm', 300), line('db', 250)], 4)).toEqual([
      { name: 'db', minor: 350n },
      { name: 'vm', minor: 300n },
    ]);
  });

  it('beyond the maximum are one rest, which keeps the sum', () => {
    const parts = partsOf(
      [5, 4, 3, 2, 1].map((minor) => line(`s${minor}`, minor)),
      2,
    );
    expect(parts).toEqual([
      { name: 's5', minor: 5n },
      { name: 's4', minor: 4n },
      { name: null, minor: 6n },
    ]);
  });

  it('exclude terms, and services with zero or negative amounts', () => {
    expect(
      partsOf([line('', -50), line('vm', 80), line('db', 20), line('db', -20), line('cdn', -5)], 4),
    ).toEqual([{ name: 'vm', minor: 80n }]);
  });

  it('have shares that are rounded, as on the other pages', () => {
    // 2,400 and 960 of 3,360 are 71.43 and 28.57%.
    expect([shareOf(2400n, 3360n), shareOf(960n, 3360n)]).toEqual([0.714, 0.286]);
  });
});
