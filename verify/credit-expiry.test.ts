// Credit that expires without a close of its month: without any bills, granted for a closed month, and
// between a void and its replacement; once, however many processes run. The independent checker runs after
// each test.
import type pg from 'pg';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sql } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth, LocalDay } from '#kernel/shape.ts';
import { creditgrants, type GrantKind } from '../src/features/invoicing/credit-grants/contract.ts';
import { credits } from '../src/features/invoicing/credits/contract.ts';
import {
  at,
  billOf,
  close,
  customer,
  db,
  expectSoundBooks,
  fee,
  moveTo,
  october,
  september,
  startBilling,
  topUp,
  twd,
  type Customer,
} from '../tests/support/corrections.ts';
import { runFeatureJob } from '../tests/support/jobs.ts';
import { checkerOf, foundBy } from './test-found.ts';

let client: pg.Client;
let idle: Customer, paying: Customer, crowd: Customer[], late: Customer, failing: Customer;

beforeAll(async () => {
  await startBilling();
  client = await checkerOf(at.console);
  idle = await customer();
  paying = await customer(fee('100'));
  late = await customer(fee('100'));
  failing = await customer(fee('100'));
  crowd = [await customer(fee('100')), await customer(fee('100')), await customer(fee('100'))];
});
afterEach(expectVerified);

/** The independent checker finds nothing. */
async function expectVerified(): Promise<void> {
  await expectSoundBooks();
  expect(await foundBy(client)).toEqual([]);
}

const asAdmin = () => ({ token: at.admin });
const expireJob = () => runFeatureJob(at.console.app, 'billing.expireCredit');
async function give(
  one: Customer,
  kind: GrantKind,
  amount: number,
  more: { startsOn?: BillingMonth; expiresOn?: string | null; recurring?: { rollover: boolean } } = {},
): Promise<Id<'cgr'>> {
  if (kind === 'paid') await topUp(one, twd(amount));
  const { expiresOn = '2024-09-30', ...rest } = more;
  const grant = await at.console.ok(
    creditgrants.giveGrant,
    {
      organizationId: one.organizationId,
      kind,
      name: { zhTW: '額度', enUS: 'Credit' },
      amount: twd(amount),
      ...(expiresOn !== null && { expiresOn: expiresOn as LocalDay }),
      ...rest,
    },
    asAdmin(),
  );
  return grant.id;
}
/** The movements of a grant and its remainder: `expired 2024-09 -100 = 0`. */
const moves = async (grantId: Id<'cgr'>): Promise<string[]> =>
  (await at.console.ok(creditgrants.adminGetGrant, { grantId }, asAdmin())).movements.map(
    ({ kind, month, amount, after }) => `${kind} ${month} ${amount.minor} = ${after.minor}`,
  );
/** An account of the platform. */
async function account(kind: string): Promise<bigint> {
  const { rows } = await sql<{
    minor: bigint;
  }>`select coalesce(sum(balance_minor), 0)::bigint as minor from ledger_account where kind = ${kind} and currency = 'TWD'`.execute(
    db(),
  );
  return rows[0]?.minor ?? 0n;
}
const voidBill = async (one: Customer) => {
  const bill = await billOf(one);
  await at.console.ok(credits.voidBill, { billId: bill.id, reason: 'wrong' }, asAdmin());
  return bill;
};
const reissue = (billId: Id<'bil'>) => at.console.ok(credits.reissueBill, { billId }, asAdmin());

describe('T-GRANT: credit expires within an hour after its last month', () => {
  it('without subscriptions and bills: the schedule books it once after the grace time', async () => {
    await moveTo('2024-09-20T00:00:00Z');
    const [promotional, paid] = [await give(idle, 'promotional', 300), await give(idle, 'paid', 500)];
    const each = await give(idle, 'promotional', 40, { expiresOn: null, recurring: { rollover: false } });
    // September ends in Taipei at 16:00 UTC; its bills are issued 72 hours later.
    await moveTo('2024-10-03T15:59:00Z');
    await runFeatureJob(at.console.app, 'close-month');
    await expireJob();
    expect(await moves(paid)).toEqual(['granted 2024-09 500 = 500']);
    await moveTo('2024-10-03T16:00:00Z');
    await Promise.all([
      runFeatureJob(at.console.app, 'close-month'),
      close(september),
      expireJob(),
      expireJob(),
    ]);
    expect(await moves(paid)).toEqual(['granted 2024-09 500 = 500', 'expired 2024-09 -500 = 0']);
    expect(await moves(promotional)).toEqual(['granted 2024-09 300 = 300', 'expired 2024-09 -300 = 0']);
    expect((await moves(each)).at(-1)).toBe('expired 2024-09 -40 = 0');
    expect(await account('breakage')).toBe(-500n);
  });

  it('granted for a closed month: booked within the hour, not by the next close', async () => {
    const [one, two] = [
      await give(late, 'promotional', 70, { startsOn: september }),
      await give(late, 'paid', 80, { startsOn: september }),
    ];
    const each = await give(late, 'promotional', 5, {
      startsOn: september,
      expiresOn: null,
      recurring: { rollover: false },
    });
    await Promise.all([expireJob(), expireJob(), expireJob()]);
    expect((await moves(one)).slice(1)).toEqual(['expired 2024-09 -70 = 0']);
    expect((await moves(two)).slice(1)).toEqual(['expired 2024-09 -80 = 0']);
    // October’s amount can still be used.
    expect(await moves(each)).toEqual([
      'granted 2024-09 5 = 5',
      'granted 2024-10 5 = 10',
      'expired 2024-09 -5 = 5',
    ]);
    expect(await account('breakage')).toBe(-580n);
  });

  it('needed for a month that could not be billed: kept until it is billed', async () => {
    const grant = await give(failing, 'promotional', 60, { startsOn: september });
    // As if September had failed for this organization, and October is closed.
    await sql`delete from month_closed where organization_id = ${failing.organizationId}`.execute(db());
    await sql`insert into bill_parked (organization_id, month, reason, parked_at) values (${failing.organizationId}, '2024-09', 'x', now())`.execute(
      db(),
    );
    await sql`insert into month_closed (organization_id, month, closed_at) values (${failing.organizationId}, '2024-10', now())`.execute(
      db(),
    );
    await expireJob();
    expect(await moves(grant)).toEqual(['granted 2024-09 60 = 60']);
    await sql`delete from bill_parked`.execute(db());
    await sql`delete from month_closed where organization_id = ${failing.organizationId} and month = '2024-10'`.execute(
      db(),
    );
    await sql`insert into month_closed (organization_id, month, closed_at) values (${failing.organizationId}, '2024-09', now())`.execute(
      db(),
    );
    await expireJob();
    expect((await moves(grant)).at(-1)).toBe('expired 2024-09 -60 = 0');
  });

  it('for an open month between closed ones: kept until that month is closed', async () => {
    const grant = await give(failing, 'paid', 90, { startsOn: september });
    const closeAs = (...months: string[]) =>
      sql`insert into month_closed (organization_id, month, closed_at) select ${failing.organizationId}, unnest(${months}::text[]), now()`.execute(
        db(),
      );
    await sql`delete from month_closed where organization_id = ${failing.organizationId}`.execute(db());
    await closeAs('2024-08', '2024-10');
    await expireJob();
    expect(await moves(grant)).toEqual(['granted 2024-09 90 = 90']);
    await closeAs('2024-09');
    await expireJob();
    expect((await moves(grant)).at(-1)).toBe('expired 2024-09 -90 = 0');
  });
});

describe('T-GRANT: credit that expires between a void and its replacement', () => {
  it('is used by the replacement like by the voided bill, and the rest expires again', async () => {
    await startBillingAgain();
    const [promotional, paid] = [await give(paying, 'promotional', 30), await give(paying, 'paid', 200)];
    const each = await give(paying, 'promotional', 20, { expiresOn: null, recurring: { rollover: false } });
    await moveTo('2024-10-05T00:00:00Z');
    await close(september);
    // 100, less 20 and 30 of promotional credit, is 50; with 5 % tax 53 (52.5), which prepaid credit pays.
    const used = [
      ['granted 2024-09 30 = 30', 'used 2024-09 -30 = 0'],
      ['granted 2024-09 200 = 200', 'used 2024-09 -53 = 147', 'expired 2024-09 -147 = 0'],
      ['granted 2024-09 20 = 20', 'used 2024-09 -20 = 0'],
    ] as const;
    const now = () => Promise.all([promotional, paid, each].map(moves));
    expect(await now()).toEqual(used);
    const before = [await account('breakage'), await account('promotions'), await account('revenue')];
    const bill = await voidBill(paying);
    await expireJob();
    await expireJob();
    const expired = [
      ['restored 2024-09 30 = 30', 'expired 2024-09 -30 = 0'],
      ['restored 2024-09 53 = 53', 'expired 2024-09 -53 = 0'],
      ['restored 2024-09 20 = 20', 'expired 2024-09 -20 = 0'],
    ] as const;
    expect(await now()).toEqual(used.map((each, index) => [...each, ...(expired[index] ?? [])]));
    expect(await account('breakage')).toBe((before[0] ?? 0n) - 53n);
    const preview = await at.console.ok(credits.previewReissue, { billId: bill.id }, asAdmin());
    expect(preview.bill).toMatchObject({ net: twd(50), total: twd(53) });
    // Several at once, with the job in between.
    const made = await Promise.all([
      reissue(bill.id),
      reissue(bill.id),
      expireJob(),
      reissue(bill.id),
      expireJob(),
    ]);
    expect(made[0]).toMatchObject({ net: twd(50), total: twd(53), paid: twd(53), state: 'paid' });
    const again = [
      ['reopened 2024-09 30 = 30', 'used 2024-09 -30 = 0'],
      ['reopened 2024-09 53 = 53', 'used 2024-09 -53 = 0'],
      ['reopened 2024-09 20 = 20', 'used 2024-09 -20 = 0'],
    ] as const;
    expect(await now()).toEqual(
      used.map((each, index) => [...each, ...(expired[index] ?? []), ...(again[index] ?? [])]),
    );
    // The books are as before.
    expect([await account('breakage'), await account('promotions'), await account('revenue')]).toEqual(
      before,
    );
    // Voided and issued again in one step, nothing has expired in between.
    const second = await at.console.ok(
      credits.reissueBill,
      { billId: (await billOf(paying)).id, reason: 'again' },
      asAdmin(),
    );
    expect(second).toMatchObject({ net: twd(50), total: twd(53), paid: twd(53) });
    expect((await moves(paid)).slice(-2)).toEqual(['restored 2024-09 53 = 53', 'used 2024-09 -53 = 0']);
  });

  it('expires if the replacement does not need it', async () => {
    const one = crowd[0] as Customer;
    const bill = await voidBill(one);
    await expireJob();
    // Tax is no longer charged: 100 instead of 105.
    await sql`update organization set tax_status = 'zero' where id = ${one.organizationId}`.execute(db());
    expect(await reissue(bill.id)).toMatchObject({ total: twd(100), paid: twd(100) });
    const { items } = await at.console.ok(
      creditgrants.adminListGrants,
      { organizationId: one.organizationId },
      asAdmin(),
    );
    expect(await moves((items[0] as (typeof items)[number]).id)).toEqual([
      'granted 2024-09 150 = 150',
      'used 2024-09 -105 = 45',
      'expired 2024-09 -45 = 0',
      'restored 2024-09 105 = 105',
      'expired 2024-09 -105 = 0',
      'reopened 2024-09 105 = 105',
      'used 2024-09 -100 = 5',
      'expired 2024-09 -5 = 0',
    ]);
  });

  it('concurrent closes, voids, reissues and jobs use every dollar once', async () => {
    const others = crowd.slice(1);
    const voided = await Promise.all(others.map(voidBill));
    await moveTo('2024-11-05T00:00:00Z');
    await Promise.all([
      close(october),
      expireJob(),
      ...voided.map(({ id }) => reissue(id)),
      expireJob(),
      ...voided.map(({ id }) => reissue(id)),
    ]);
    for (const one of others) expect(await billOf(one)).toMatchObject({ total: twd(105), paid: twd(105) });
    expect(await account('deferred_revenue')).toBe(0n);
  });
});

/** The same customers on a new console in September, with prepaid credit that ends with it. */
async function startBillingAgain(): Promise<void> {
  await client.end();
  await startBilling();
  client = await checkerOf(at.console);
  paying = await customer(fee('100'));
  crowd = [await customer(fee('100')), await customer(fee('100')), await customer(fee('100'))];
  await moveTo('2024-09-20T00:00:00Z');
  for (const one of crowd) await give(one, 'paid', 150);
}
