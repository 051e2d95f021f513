// An add-on that an Admin begins in the past, after the bills of that month were made: no fee is lost without a word (R-CAT-05, R-BILL-05).
import { expect, it } from 'vitest';
import type { BillingMonth } from '#kernel/shape.ts';
import { billing } from '#features/invoicing/billing/contract.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import {
  admin,
  console,
  fails,
  moveTo,
  service,
  startSubscriptionConsole,
  subscribe,
  token,
} from '../support/subscriptions.ts';

startSubscriptionConsole();

it('R-BILL-05: fees of a month that is closed cannot begin afterwards, those of the open month can, and each is billed once', async () => {
  const family = 'Machines';
  const parent = (await subscribe((await service({ family })).id)).id;
  const { id: backup } = await console.ok(
    catalogue.createService,
    {
      name: 'Backup',
      type: 'VM',
      category: 'Compute',
      currency: 'TWD',
      charges: [
        {
          key: 'fee',
          name: { zhTW: '月費', enUS: 'Monthly fee' },
          kind: 'recurring',
          model: 'flat',
          amount: '300',
        },
        {
          key: 'half',
          name: { zhTW: '半年費', enUS: 'Half-yearly fee' },
          kind: 'recurring',
          model: 'flat',
          amount: '1840',
          cycle: 'half_year',
        },
      ],
      addOnTo: [family],
    } as never,
    { token: admin },
  );
  const from = (startedAt: string, language: 'zhTW' | 'enUS' = 'enUS') =>
    console.call(
      subscriptions.adminAddAddOn,
      { subscriptionId: parent, serviceId: backup, startedAt: new Date(startedAt) } as never,
      { token: admin, language },
    );
  await moveTo('2026-11-05T04:00:00Z');
  await console.ok(billing.closeMonth, { month: '2026-10' as BillingMonth }, { token: admin });

  // The last moment of October in Taipei, and long before it.
  for (const moment of ['2026-10-31T15:59:59Z', '2026-10-19T16:00:00Z']) {
    expect(await fails(from(moment))).toBe('startedAt: subscriptions.add_on_in_closed_month');
  }
  const sentence = async (language: 'zhTW' | 'enUS') =>
    (await from('2026-10-19T16:00:00Z', language)).envelope.errors?.[0]?.message;
  expect(await sentence('zhTW')).toBe(
    '2026年10月已經結清，從那時起的費用不會再列入帳單；請從2026年11月1日或之後開始，先前的費用另以單次費用收取。',
  );
  expect(await sentence('enUS')).toBe(
    'The bills of Oct 2026 are made, so its fees would never be billed. Start on Nov 1, 2026 or later, and bill what came before as a one-off charge.',
  );
  // Nothing of what was refused is left.
  const { items } = await console.ok(subscriptions.listAddOns, { subscriptionId: parent }, { token });
  expect(items).toEqual([]);

  // What the sentence names is possible: the first moment of November. Of the half year 61 of 184 days are left.
  const { data } = await from('2026-10-31T16:00:00Z');
  const { id } = data as { id: string };
  await moveTo('2026-12-02T04:00:00Z');
  await console.ok(billing.closeMonth, { month: '2026-11' as BillingMonth }, { token: admin });
  const { items: bills } = await console.ok(billing.listBills, {}, { token });
  const fees = await Promise.all(
    bills.map(async (bill) =>
      (await console.ok(billing.getBill, { billId: bill.id }, { token })).lines
        .filter((line) => line.subscriptionId === id)
        .map((line) => `${bill.month} ${line.charge?.key} ${line.exact}`),
    ),
  );
  expect(fees.flat().toSorted()).toEqual(['2026-11 fee 300', '2026-11 half 610']);
});

it('what begins in a month that is over but not closed is on its bill', async () => {
  const family = 'Others';
  await moveTo('2026-12-05T04:00:00Z');
  const parent = (await subscribe((await service({ family })).id)).id;
  const { id: backup } = await console.ok(
    catalogue.createService,
    {
      name: 'Other backup',
      type: 'VM',
      category: 'Compute',
      currency: 'TWD',
      charges: [
        {
          key: 'fee',
          name: { zhTW: '月費', enUS: 'Monthly fee' },
          kind: 'recurring',
          model: 'flat',
          amount: '310',
        },
      ],
      addOnTo: [family],
    } as never,
    { token: admin },
  );
  await moveTo('2027-01-03T04:00:00Z');
  const { id } = await console.ok(
    subscriptions.adminAddAddOn,
    { subscriptionId: parent, serviceId: backup, startedAt: new Date('2026-12-21T16:00:00Z') } as never,
    { token: admin },
  );
  await console.ok(billing.closeMonth, { month: '2026-12' as BillingMonth }, { token: admin });
  const { items: bills } = await console.ok(
    billing.listBills,
    { month: '2026-12' as BillingMonth },
    { token },
  );
  const [bill] = bills;
  const { lines } = await console.ok(billing.getBill, { billId: bill?.id as never }, { token });
  // The 22nd to the 31st: 10 of 31 days.
  expect(lines.filter((line) => line.subscriptionId === id).map(({ exact }) => exact)).toEqual(['100']);
});
