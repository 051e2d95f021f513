import { describe, expect, it } from 'vitest';
import { whatWasPaid } from './what-was-paid.ts';

const pay = 'pay_01m8f6gyts6zk3jav4yfb3f2j1';
const cbl = 'cbl_01m8f6gyts6zk3jav4yfb3f2j1';

describe('T-PORTAL-PAID: the payment event for a host page', () => {
  it.each<[string, unknown, unknown]>([
    ['a bill from the balance', { id: pay, state: 'succeeded' }, { isDone: true, paid: { paymentId: pay } }],
    ['a bill at a provider', { id: pay, state: 'pending' }, { isDone: false, paymentId: pay }],
    [
      'a consolidated bill from the balance',
      { bill: { id: cbl, state: 'paid' }, payment: null },
      { isDone: true, paid: { consolidatedId: cbl } },
    ],
    [
      'a consolidated bill at a provider',
      { bill: { id: cbl, state: 'open' }, payment: { id: pay, state: 'pending' } },
      { isDone: false, paymentId: pay },
    ],
    [
      'a consolidated bill whose payment has already arrived',
      { bill: { id: cbl, state: 'paid' }, payment: { id: pay, state: 'succeeded' } },
      { isDone: true, paid: { paymentId: pay } },
    ],
    ['a response of another call', { id: 'bil_x', state: 'succeeded' }, undefined],
    ['a bill of another kind', { bill: { id: 'bil_x' }, payment: null }, undefined],
    ['nothing', undefined, undefined],
  ])('%s', (_name, answer, told) => expect(whatWasPaid(answer)).toEqual(told));
});
