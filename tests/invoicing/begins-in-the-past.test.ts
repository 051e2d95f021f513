// Subscriptions and add-ons that an Admin begins in the past, after or while the bills of that month are
// issued: no fee is lost silently (R-CAT-05, R-BILL-05).
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import type { BillingMonth } from '#kernel/shape.ts';
import { billing } from '#features/invoicing/billing/contract.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import {
  admin,
  console,
  fails,
  flat,
  fresh,
  moveTo,
  person,
  service,
  startSubscriptionConsole,
  subscribe,
  token,
} from '../support/subscriptions.ts';

startSubscriptionConsole();

/** A service that can be added to those of a family, with a monthly fee and other charges. */
const backupFor = async (family: string, fee: string, others: readonly object[] = []): Promise<string> => {
  const { id } = await console.ok(
    catalogue.createService,
    {
      name: `Backup ${fresh()}`,
      type: 'VM',
      category: 'Compute',
      currency: 'TWD',
      charges: [
        {
          key: 'fee',
          name: { zhTW: '月費', enUS: 'Monthly fee' },
          kind: 'recurring',
          model: 'flat',
          amount: fee,
        },
        ...others,
      ],
      addOnTo: [family],
    } as never,
    { token: admin },
  );
  return id;
};

/** The exact prices of a subscription’s lines on its organization’s bills, with the months. */
const feesOf = async (subscriptionId: string): Promise<string[]> => {
  const { items: bills } = await console.ok(billing.listBills, {}, { token });
  const fees = await Promise.all(
    bills.map(async (bill) =>
      (await console.ok(billing.getBill, { billId: bill.id }, { token })).lines
        .filter((line) => line.subscriptionId === subscriptionId)
        .map((line) => [bill.month, line.charge?.key, line.exact].filter(Boolean).join(' ')),
    ),
  );
  return fees.flat().toSorted();
};

it('R-BILL-05: an add-on cannot begin in a closed month but in the open one, and each fee is billed once', async () => {
  const family = 'Machines';
  const parent = (await subscribe((await service({ family })).id)).id;
  const backup = await backupFor(family, '300', [
    {
      key: 'half',
      name: { zhTW: '半年費', enUS: 'Half-yearly fee' },
      kind: 'recurring',
      model: 'flat',
      amount: '1840',
      cycle: 'half_year',
    },
  ]);
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
    expect(await fails(from(moment))).toBe('startedAt: subscriptions.begin_in_closed_month');
  }
  const sentence = async (language: 'zhTW' | 'enUS') =>
    (await from('2026-10-19T16:00:00Z', language)).envelope.errors?.[0]?.message;
  expect(await sentence('zhTW')).toBe(
    '2026年10月已經結清，從那時起的費用不會再列入帳單；請從2026年11月1日或之後開始，先前的費用另以單次費用收取。',
  );
  expect(await sentence('enUS')).toBe(
    'Oct 2026 is closed, so fees for it would never be billed. Start on Nov 1, 2026 or later, and charge the time before as a one-off charge.',
  );
  // Nothing of the rejected request is stored.
  const { items } = await console.ok(subscriptions.listAddOns, { subscriptionId: parent }, { token });
  expect(items).toEqual([]);

  // The begin suggested by the message is possible: the first moment of November. Of the half year 61 of 184
  // days are left.
  const { data } = await from('2026-10-31T16:00:00Z');
  const { id } = data as { id: string };
  await moveTo('2026-12-02T04:00:00Z');
  await console.ok(billing.closeMonth, { month: '2026-11' as BillingMonth }, { token: admin });
  expect(await feesOf(id)).toEqual(['2026-11 fee 300', '2026-11 half 610']);
});

it('an add-on that begins in a past but open month is on its bill', async () => {
  const family = 'Others';
  await moveTo('2026-12-05T04:00:00Z');
  const parent = (await subscribe((await service({ family })).id)).id;
  const backup = await backupFor(family, '310');
  await moveTo('2027-01-03T04:00:00Z');
  const { id } = await console.ok(
    subscriptions.adminAddAddOn,
    { subscriptionId: parent, serviceId: backup, startedAt: new Date('2026-12-21T16:00:00Z') } as never,
    { token: admin },
  );
  await console.ok(billing.closeMonth, { month: '2026-12' as BillingMonth }, { token: admin });
  // The 22nd to the 31st: 10 of 31 days.
  expect(await feesOf(id)).toEqual(['2026-12 fee 100']);
});

const begin = (serviceId: string, startedAt: string) =>
  console.call(
    subscriptions.adminSubscribe,
    { organizationId: person.organizationId, serviceId, startedAt: new Date(startedAt) } as never,
    { token: admin },
  );

it('R-BILL-05: a subscription cannot begin in a closed month of its organization; in an open one it is billed', async () => {
  await moveTo('2027-02-05T04:00:00Z');
  await console.ok(billing.closeMonth, { month: '2027-01' as BillingMonth }, { token: admin });
  const { id: serviceId } = await service();
  for (const moment of ['2027-01-31T15:59:59Z', '2026-08-01T00:00:00Z'])
    expect(await fails(begin(serviceId, moment))).toBe('startedAt: subscriptions.begin_in_closed_month');

  // The error message suggests the first of February. Nothing of the rejected request is stored, so the
  // service can be subscribed to.
  const { data } = await begin(serviceId, '2027-01-31T16:00:00Z');
  await moveTo('2027-03-02T04:00:00Z');
  await console.ok(billing.closeMonth, { month: '2027-02' as BillingMonth }, { token: admin });
  expect(await feesOf((data as { id: string }).id)).toEqual(['2027-02 300']);
});

it('R-BILL-05: what begins in a month during its close is on the bill, or rejected', async () => {
  await moveTo('2027-04-05T04:00:00Z');
  const db = console.app.database.kysely;
  const { id: serviceId } = await service({ pricing: flat('310') });
  // The request waits at the gate with its uncommitted rows.
  await sql
    .raw(`create function wait_at_gate() returns trigger language plpgsql as $$ begin perform pg_advisory_xact_lock(${gateKey}); return null; end $$;
    create trigger wait_at_gate after insert or update of late_begins on bill_series for each row execute function wait_at_gate();`)
    .execute(db);
  const gate = await db.startTransaction().execute();
  await sql`select pg_advisory_xact_lock(${gateKey})`.execute(gate);
  const beginning = begin(serviceId, '2027-03-21T16:00:00Z');
  await expect.poll(() => waiting('advisory')).toBe(1);
  // The close plans without it, and waits for the lock on its months.
  const closing = console.ok(billing.closeMonth, { month: '2027-03' as BillingMonth }, { token: admin });
  await expect.poll(() => waiting('transactionid')).toBe(1);
  await gate.commit().execute();
  const { status, data } = await beginning;
  await closing;
  expect(status).toBe(201);
  // The 22nd to the 31st: 10 of 31 days.
  expect(await feesOf((data as { id: string }).id)).toEqual(['2027-03 100']);

  // The other way round: the month is already closed.
  expect(await fails(begin((await service()).id, '2027-03-21T16:00:00Z'))).toBe(
    'startedAt: subscriptions.begin_in_closed_month',
  );
});

const gateKey = 4712;
/** How many sessions of this database wait for a lock of a kind. */
const waiting = async (kind: 'advisory' | 'transactionid'): Promise<number> =>
  Number(
    (
      await sql<{
        n: bigint;
      }>`select count(*) as n from pg_locks l join pg_stat_activity a using (pid) where l.locktype = ${kind} and not l.granted and a.datname = current_database()`.execute(
        console.app.database.kysely,
      )
    ).rows[0]?.n,
  );
