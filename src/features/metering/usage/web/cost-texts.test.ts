// Figures on screens are those of the bill, which rounds each charge by itself.
import { describe, expect, it } from 'vitest';
import type { Statistics } from '../contract.ts';
import { billedCost, billedTotal } from './cost-texts.ts';

type Service = Statistics['services'][number];
const cost = (amount: string): Service['cost'] => ({ amount, currency: 'TWD' });
const charge = (amount: string) => ({ cost: cost(amount) }) as NonNullable<Service['charges']>[number];
const storage = { cost: cost('1001.4999'), charges: [charge('999.9999'), charge('1.5')] };

describe('R-USE-01 R-BILL-01: what a month comes to on a bill', () => {
  it('rounds each charge of a service by itself, and a single price once', () => {
    expect(billedCost(storage)).toEqual({ minor: 1002n, currency: 'TWD' });
    expect(billedCost({ cost: cost('1001.4999') })).toEqual({ minor: 1001n, currency: 'TWD' });
  });

  it('adds the services up as they are shown', () => {
    const month = (services: readonly Pick<Service, 'cost' | 'charges'>[], total: string) =>
      billedTotal({ currency: 'TWD', totalCost: cost(total), services });
    expect(month([storage, { cost: cost('0.4') }, { cost: cost('0.4') }], '1002.2999').minor).toBe(1002n);
    // Of another currency are services that the total does not have.
    expect(month([storage, { cost: { amount: '0.5', currency: 'USD' } }], '1001.4999').minor).toBe(1002n);
  });
});
