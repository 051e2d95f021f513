// The billed amounts on the operator’s dashboard, compared with the bills.
import { beforeAll, expect, it } from 'vitest';
import { consoleContract } from '#app/console/contract.ts';
import { credits } from '#features/invoicing/credits/contract.ts';
import { notifications } from '#features/messaging/notifications/contract.ts';
import {
  at,
  billOf,
  close,
  credit,
  customer,
  fee,
  moveTo,
  october,
  pay,
  september,
  startBilling,
  topUp,
  twd,
  type Customer,
} from '../support/corrections.ts';

let credited: Customer;
let voided: Customer;

beforeAll(async () => {
  await startBilling();
  credited = await customer(fee('730'));
  voided = await customer(fee('500'));
  await customer(fee('99.99', 'USD'));
  await moveTo('2024-10-05T00:00:00Z');
  await close(september);
  await moveTo('2024-11-05T00:00:00Z');
  await close(october);
});

const billedByMonth = async () =>
  (await at.console.ok(consoleContract.billedByMonth, {}, { token: at.admin })).months;

it('R-ADM-01 billed amounts are before tax, less credit notes, without void bills, by currency', async () => {
  const before = await billedByMonth();
  expect(before).toHaveLength(12);
  expect(before[0]).toEqual({ month: '2023-11', billed: [] });
  expect(before.at(-2)).toEqual({
    month: september,
    billed: [twd(1230), { minor: 9999n, currency: 'USD' }],
  });
  await credit(await billOf(credited), { kind: 'percent', percent: '10' }, 'slow');
  const bill = await billOf(voided);
  await at.console.ok(credits.voidBill, { billId: bill.id, reason: 'wrong' }, { token: at.admin });
  const after = await billedByMonth();
  const sums = after.slice(-2).map(({ billed }) => billed.find(({ currency }) => currency === 'TWD')?.minor);
  // Of September: 730 − 73, and the other’s bill is void; those of October are unchanged.
  expect(sums).toEqual([657n, 1230n]);
});

it('R-NOTE-01 the notification of a paid bill that was credited before has the amount that was due', async () => {
  const bill = await billOf(credited);
  expect([bill.total, bill.due]).toEqual([twd(767), twd(690)]);
  await topUp(credited, twd(690));
  await pay(credited, bill);
  const { items } = await at.console.ok(notifications.listNotifications, {}, { token: credited.token });
  const [paid] = items.filter(({ message }) => message.includes(bill.number));
  expect(paid?.message).toContain('NT$690');
});
