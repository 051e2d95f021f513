// Customers buy credit with their balance, manually and by auto top-up, and are warned once when it runs low.
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { In } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import { money, type Money } from '#kernel/money.ts';
import type { LocalDay } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { identity } from '#features/access/identity/contract.ts';
import { insertOrganization } from '#features/access/identity/server/index.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { creditgrants, type CreditOffer } from '#features/invoicing/credit-grants/contract.ts';
import { ownerKey } from '#features/invoicing/credit-grants/rules.ts';
import { checkTopUps, type PlannedUse } from '#features/invoicing/credit-grants/server/index.ts';
import { notifications } from '#features/messaging/notifications/contract.ts';
import { payments } from '#features/receivables/payments/contract.ts';
import { spendableBalance } from '#features/receivables/payments/server/index.ts';
import { jobs } from '#app/jobs.ts';
import {
  adminAccount,
  createTestConsole,
  setUp,
  signIn,
  userPassword,
  type TestConsole,
} from '../support/console.ts';

const twd = (minor: number | bigint): Money => money(BigInt(minor), 'TWD');
const offered: CreditOffer = { isOn: true, services: null, usageOnly: true, months: 12 };

let console: TestConsole;
let admin: string;
let count = 0;
let one: { email: string; token: string; organizationId: Id<'org'> };

const unit = <T>(run: (ctx: Ctx) => Promise<T>): Promise<T> =>
  unitOfWork(console.app, { actor: { kind: 'system', name: 'test' } }, run);
async function moveTo(moment: string): Promise<void> {
  console.clock.set(new Date(moment));
  admin = await signIn(console, adminAccount.account, adminAccount.password);
  one.token = await signIn(console, one.email);
}
async function topUp(amount: Money): Promise<void> {
  const payment = await console.ok(payments.topUp, { amount }, { token: one.token });
  await console.ok(payments.confirmPayment, { paymentId: payment.id }, { token: admin });
}
const balance = async () => (await console.ok(payments.balance, {}, { token: one.token })).balances[0];
const buy = (amount: Money) => console.call(creditgrants.buyCredit, { amount }, { token: one.token });
const offer = (terms: CreditOffer) => console.ok(creditgrants.setCreditOffer, terms, { token: admin });
/** Sets it, and waits for the check that follows in a job. */
/** Waits until the queue has run all enqueued checks. */
const checked = async (): Promise<void> => {
  await expect
    .poll(
      async () =>
        (
          await sql<{
            open: bigint;
          }>`select count(*) as open from job.job where name = 'creditgrants.check' and state in ('created', 'retry', 'active')`.execute(
            console.app.database.kysely,
          )
        ).rows[0]?.open,
      { timeout: 20_000 },
    )
    .toBe(0n);
};
const set = async (input: Partial<In<typeof creditgrants.setTopUp>>) => {
  const answer = await console.call(
    creditgrants.setTopUp,
    { currency: 'TWD', topUp: null, warnBelow: null, ...input },
    { token: one.token },
  );
  await checked();
  return answer;
};
const automatic = { threshold: twd(500), amount: twd(1000), monthlyCap: twd(2500) };
const plan = (paid: bigint, promotional = 0n): PlannedUse =>
  new Map([[ownerKey(one.organizationId, 'TWD'), { paid, promotional, paidByGrant: new Map() }]]);
const check = (planned: PlannedUse = new Map()) =>
  unit((ctx) => checkTopUps(ctx, one.organizationId, planned, spendableBalance));
const own = () => console.ok(creditgrants.ownCredits, {}, { token: one.token });
const messages = async (about: RegExp): Promise<string[]> =>
  (await console.ok(notifications.listNotifications, { limit: 100 }, { token: one.token })).items
    .map(({ message }) => message)
    .filter((message) => about.test(message));

beforeAll(async () => {
  console = await createTestConsole(new Date('2026-11-10T04:00:00Z'));
  admin = await setUp(console);
});
beforeEach(async () => {
  console.clock.set(new Date('2026-11-10T04:00:00Z'));
  admin = await signIn(console, adminAccount.account, adminAccount.password);
  const email = `owner${++count}@buys.example`;
  const { id: organizationId } = await unit((ctx) =>
    insertOrganization(ctx, {
      name: `Buyer ${count}`,
      timeZone: 'Asia/Taipei',
      language: 'zhTW',
      externalRef: null,
    }),
  );
  await console.ok(
    identity.createUser,
    { account: email, name: email, role: 'User', organizationId, password: userPassword },
    { token: admin },
  );
  one = { email, token: await signIn(console, email), organizationId };
  await offer(offered);
});

describe('T-GRANT: buying credit', () => {
  it('is disabled until the operator offers it', async () => {
    await offer({ ...offered, isOn: false });
    await topUp(twd(100));
    expect((await own()).offer).toBeNull();
    expect((await buy(twd(100))).envelope.code).toBe('creditgrants.not_for_sale');
    expect((await set({ topUp: automatic })).envelope.code).toBe('creditgrants.not_for_sale');
    // The warning needs no offer.
    expect((await set({ warnBelow: twd(5) })).status).toBe(200);
  });

  it('takes the balance and grants credit under the operator’s terms, with a generated name', async () => {
    await topUp(twd(1500));
    expect((await own()).offer).toEqual({
      scope: { services: null, charges: null, usageOnly: true },
      lastMonth: '2027-10',
    });
    const { status, data } = await buy(twd(1200));
    expect([status, data]).toMatchObject([
      201,
      {
        kind: 'paid',
        origin: 'bought',
        name: { zhTW: '2026年11月10日預付額度', enUS: 'Prepaid credit of Nov 10, 2026' },
        amount: twd(1200),
        left: twd(1200),
        scope: { services: null, charges: null, usageOnly: true },
        startsOn: '2026-11',
        lastMonth: '2027-10',
      },
    ]);
    expect(await balance()).toEqual(twd(300));
    const refused = await buy(twd(301));
    expect([refused.status, refused.envelope.message]).toEqual([
      409,
      'The prepaid balance is NT$1 short. Top up the balance first, or choose a smaller amount.',
    ]);
    expect((await buy(twd(0))).envelope.errors?.[0]?.field).toBe('amount');
  });

  it('can be limited by the operator to single charges, with their names', async () => {
    const { id: serviceId } = await console.ok(
      catalogue.createService,
      {
        name: 'Machines',
        type: 'VM',
        category: 'Own',
        currency: 'TWD',
        charges: [
          {
            key: 'fee',
            name: { zhTW: '月費', enUS: 'Fee' },
            kind: 'recurring',
            model: 'flat',
            amount: '100',
          },
          {
            key: 'disk',
            name: { zhTW: '磁碟', enUS: 'Disk' },
            kind: 'recurring',
            model: 'flat',
            amount: '10',
          },
        ],
      },
      { token: admin },
    );
    const charges = [{ serviceId, chargeKey: 'disk' }];
    const refused = async (terms: Partial<CreditOffer>) => {
      const { envelope } = await console.call(
        creditgrants.setCreditOffer,
        { ...offered, ...terms },
        { token: admin },
      );
      return [envelope.code, envelope.errors?.[0]?.field];
    };
    expect(await refused({ charges: [{ serviceId, chargeKey: 'nothing' }] })).toEqual([
      'creditgrants.charge_unknown',
      'charges',
    ]);
    await offer({ ...offered, usageOnly: false, charges });
    expect(await console.ok(creditgrants.creditOffer, {}, { token: admin })).toMatchObject({ charges });
    // Charges imply their services.
    const scope = {
      services: [{ id: serviceId, name: 'Machines' }],
      charges: [{ ...charges[0], name: { zhTW: '磁碟', enUS: 'Disk' } }],
      usageOnly: false,
    };
    expect((await own()).offer?.scope).toEqual(scope);
    await topUp(twd(100));
    expect((await buy(twd(100))).data).toMatchObject({ origin: 'bought', scope });
  });

  it('with one key buys once; 20 concurrent purchases never exceed the balance', async () => {
    await topUp(twd(1000));
    const keyed = () =>
      console.ok(
        creditgrants.buyCredit,
        { amount: twd(100) },
        { token: one.token, headers: { 'idempotency-key': `buy-${one.organizationId}` } },
      );
    expect((await keyed()).id).toBe((await keyed()).id);
    expect(await balance()).toEqual(twd(900));
    const answers = await Promise.all(Array.from({ length: 20 }, () => buy(twd(200))));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(4);
    expect(await balance()).toEqual(twd(100));
    expect((await own()).totals[0]).toMatchObject({ paid: twd(900), balance: twd(100) });
  });
});

describe('T-GRANT: auto top-up', () => {
  it('50 concurrent checks buy once', async () => {
    // Without a balance the next check buys nothing.
    await set({ topUp: automatic });
    await topUp(twd(5000));
    await Promise.all(Array.from({ length: 50 }, () => check()));
    expect(await balance()).toEqual(twd(4000));
    const { items } = await console.ok(creditgrants.topUps, {}, { token: one.token });
    expect(items).toEqual([
      { currency: 'TWD', topUp: automatic, warnBelow: null, boughtThisMonth: twd(1000) },
    ]);
    expect((await own()).grants).toMatchObject([
      {
        origin: 'top_up',
        name: { zhTW: '2026年11月10日自動購買額度', enUS: 'Auto-purchase of Nov 10, 2026' },
      },
    ]);
    expect(await messages(/Auto-purchase bought/)).toEqual([
      'Auto-purchase bought NT$1,000 of credit with your balance.',
    ]);
  });

  it('includes the usage of open months, stops at the monthly cap, and notifies once a day', async () => {
    await topUp(twd(9000));
    await set({ topUp: automatic });
    await check();
    await check();
    expect(await balance()).toEqual(twd(8000));
    await check(plan(501n));
    expect(await balance()).toEqual(twd(7000));
    // 2,000 of 2,500: another 1,000 would pass the cap.
    await check(plan(1501n));
    await check(plan(1501n));
    expect(await balance()).toEqual(twd(7000));
    expect(await messages(/monthly cap/)).toHaveLength(1);
    // The next month begins in the organization’s own time zone.
    await moveTo('2026-11-30T15:59:00Z');
    await check(plan(1501n));
    expect(await balance()).toEqual(twd(7000));
    expect(await messages(/monthly cap/)).toHaveLength(2);
    await moveTo('2026-11-30T16:00:00Z');
    await check(plan(1501n));
    expect(await balance()).toEqual(twd(6000));
  });

  it('buys nothing if the balance is too low, and notifies once a day', async () => {
    await topUp(twd(999));
    await set({ topUp: automatic });
    await check();
    await check();
    expect(await balance()).toEqual(twd(999));
    await moveTo('2026-11-11T04:00:00Z');
    await check();
    expect(await messages(/NT\$1 short/)).toHaveLength(2);
  });

  it('buys nothing while the operator does not offer credit, and ignores promotional credit', async () => {
    await set({ topUp: automatic });
    // Before there is a balance: the queue checks, too.
    await offer({ ...offered, isOn: false });
    await topUp(twd(1000));
    await console.ok(
      creditgrants.giveGrant,
      {
        organizationId: one.organizationId,
        kind: 'promotional',
        name: { zhTW: 'x', enUS: 'x' },
        amount: twd(9000),
      },
      { token: admin },
    );
    // It can be kept, but not changed.
    expect((await set({ topUp: automatic, warnBelow: twd(1) })).status).toBe(200);
    expect((await set({ topUp: { ...automatic, amount: twd(1) } })).status).toBe(409);
    await check();
    expect(await balance()).toEqual(twd(1000));
    await offer(offered);
    await check();
    expect(await balance()).toEqual(twd(0));
  });

  it.each<[string, Partial<In<typeof creditgrants.setTopUp>>, string, string]>([
    [
      'a cap below one purchase',
      { topUp: { ...automatic, monthlyCap: twd(999) } },
      'creditgrants.cap_below_amount',
      'topUp.monthlyCap',
    ],
    [
      'an amount of zero',
      { topUp: { ...automatic, amount: twd(0) } },
      'creditgrants.amount_not_positive',
      'topUp.amount',
    ],
    [
      'another currency',
      { topUp: { ...automatic, threshold: money(1n, 'USD') } },
      'creditgrants.other_currency',
      'topUp.threshold',
    ],
    ['a negative warning threshold', { warnBelow: twd(-1) }, 'creditgrants.amount_not_positive', 'warnBelow'],
  ])('rejects %s at its field', async (_name, input, code, field) => {
    const { status, envelope } = await set(input);
    expect([status, envelope.code, envelope.errors?.[0]?.field]).toEqual([400, code, field]);
  });

  it('renewal, purchase and warning run in the hourly job', async () => {
    // Enough until the end of November.
    await console.ok(
      creditgrants.giveGrant,
      {
        organizationId: one.organizationId,
        kind: 'promotional',
        name: { zhTW: 'y', enUS: 'y' },
        amount: twd(2500),
        expiresOn: '2026-11-30' as LocalDay,
      },
      { token: admin },
    );
    await set({ topUp: automatic, warnBelow: twd(2000) });
    await topUp(twd(1000));
    await console.ok(
      creditgrants.giveGrant,
      {
        organizationId: one.organizationId,
        kind: 'promotional',
        name: { zhTW: 'x', enUS: 'x' },
        amount: twd(30),
        recurring: { rollover: true },
      },
      { token: admin },
    );
    // A check of the queue that came after the move would warn before the renewal.
    await checked();
    await moveTo('2026-12-02T04:00:00Z');
    const hourly = jobs.find(({ name }) => name === 'creditgrants.hourly');
    await hourly?.run(console.app, {} as never, new AbortController().signal);
    expect((await own()).totals[0]).toMatchObject({ paid: twd(1000), promotional: twd(60), balance: twd(0) });
    expect(await messages(/credit is low: NT\$1,060 is left, below your warning at NT\$2,000/)).toHaveLength(
      1,
    );
    const { rows } = await sql<{
      action: string;
    }>`select action from audit_log where action in ('creditgrants.renewGrants', 'creditgrants.topUp') and at >= ${console.clock.now()} order by seq`.execute(
      console.app.database.kysely,
    );
    expect(new Set(rows.map(({ action }) => action))).toEqual(
      new Set(['creditgrants.renewGrants', 'creditgrants.topUp']),
    );
  });
});

describe('T-GRANT: the warning about low credit', () => {
  it('is sent once per crossing', async () => {
    await topUp(twd(1000));
    await buy(twd(600));
    await set({ warnBelow: twd(500) });
    await check(plan(100n));
    expect(await messages(/credit is low/)).toEqual([]);
    await check(plan(101n));
    await check(plan(300n));
    expect(await messages(/credit is low/)).toEqual([
      'Your credit is low: NT$499 is left, below your warning at NT$500.',
    ]);
    // Enough again, then low again.
    await check();
    await moveTo('2026-11-10T05:00:00Z');
    await check(plan(200n, 50n));
    expect(await messages(/credit is low/)).toHaveLength(2);
    // Another threshold is another warning.
    await set({ warnBelow: twd(400) });
    await moveTo('2026-11-10T06:00:00Z');
    await check(plan(250n));
    expect(await messages(/credit is low/)).toHaveLength(3);
  });

  it('ignores credit that ended with an earlier month', async () => {
    await console.ok(
      creditgrants.giveGrant,
      {
        organizationId: one.organizationId,
        kind: 'promotional',
        name: { zhTW: 'x', enUS: 'x' },
        amount: twd(600),
        expiresOn: '2026-11-15' as LocalDay,
      },
      { token: admin },
    );
    await set({ warnBelow: twd(500) });
    await check();
    expect(await messages(/credit is low/)).toEqual([]);
    await moveTo('2026-12-01T04:00:00Z');
    await check();
    expect(await messages(/credit is low: NT\$0/)).toHaveLength(1);
  });
});
