// Credit grants on the database: granted, used, restored, renewed, expired and withdrawn, with their ledger
// entries; also concurrently.
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { required } from '#kernel/assert.ts';
import type { In } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import { money, type Money } from '#kernel/money.ts';
import type { BillingMonth, LocalDay } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { identity } from '#features/access/identity/contract.ts';
import { insertOrganization } from '#features/access/identity/server/index.ts';
import { creditgrants } from '#features/invoicing/credit-grants/contract.ts';
import type { GrantInForce } from '#features/invoicing/credit-grants/rules.ts';
import {
  expireGrants,
  grantsOf,
  holdGrants,
  recordUses,
  renewGrants,
  restoreUses,
} from '#features/invoicing/credit-grants/server/index.ts';
import { append } from '#features/invoicing/ledger/server/index.ts';
import { balanced } from '#features/invoicing/ledger/rules.ts';
import { notifications } from '#features/messaging/notifications/contract.ts';
import { books } from '#features/reporting/books/contract.ts';
import { payments } from '#features/receivables/payments/contract.ts';
import {
  adminAccount,
  createTestConsole,
  setUp,
  signIn,
  type TestConsole,
  userPassword,
} from '../support/console.ts';

const month = (text: string) => text as BillingMonth;
const [october, november, december] = [month('2026-10'), month('2026-11'), month('2026-12')];
const twd = (minor: number | bigint): Money => money(BigInt(minor), 'TWD');

let console: TestConsole;
let admin: string;
let count = 0;
let one: { email: string; token: string; organizationId: Id<'org'> };

const db = () => console.app.database.kysely;
const unit = <T>(run: (ctx: Ctx) => Promise<T>): Promise<T> =>
  unitOfWork(console.app, { actor: { kind: 'system', name: 'test' } }, run);
async function moveTo(moment: string): Promise<void> {
  console.clock.set(new Date(moment));
  admin = await signIn(console, adminAccount.account, adminAccount.password);
  one.token = await signIn(console, one.email);
}
async function organization(): Promise<typeof one> {
  const email = `owner${++count}@grants.example`;
  const { id: organizationId } = await unit((ctx) =>
    insertOrganization(ctx, {
      name: `Org ${count}`,
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
  return { email, token: await signIn(console, email), organizationId };
}
async function topUp(amount: Money): Promise<void> {
  const payment = await console.ok(payments.topUp, { amount }, { token: one.token });
  await console.ok(payments.confirmPayment, { paymentId: payment.id }, { token: admin });
}
type Terms = Partial<In<typeof creditgrants.giveGrant>>;
const give = (terms: Terms = {}) =>
  console.call(
    creditgrants.giveGrant,
    {
      organizationId: one.organizationId,
      kind: 'promotional',
      name: { zhTW: '迎新額度', enUS: 'Welcome' },
      amount: twd(1000),
      ...terms,
    },
    { token: admin },
  );
const given = async (terms: Terms = {}) => {
  const answer = await give(terms);
  expect(answer.envelope).toMatchObject({ isSuccess: true });
  return answer.data;
};
const withdraw = (grantId: Id<'cgr'>) =>
  console.call(creditgrants.withdrawGrant, { grantId, reason: 'by mistake' }, { token: admin });
const detail = (grantId: Id<'cgr'>) => console.ok(creditgrants.adminGetGrant, { grantId }, { token: admin });
const moves = async (grantId: Id<'cgr'>) =>
  (await detail(grantId)).movements.map(({ kind, month: of, amount, after }) => [
    kind,
    of,
    amount.minor,
    after.minor,
  ]);
const inForce = async (
  of: BillingMonth,
  without?: Id<'bil'>,
  owner = one.organizationId,
): Promise<readonly GrantInForce[]> =>
  (await unit((ctx) => grantsOf(ctx, [owner], of, without && { id: without, mostPaid: twd(1_000_000) }))).get(
    owner,
  ) ?? [];
const available = async (of: BillingMonth, without?: Id<'bil'>) =>
  (await inForce(of, without)).map((grant) => grant.available.minor);

const accountOf = (kind: GrantInForce['kind']) =>
  kind === 'paid' ? ('deferred_revenue' as const) : ('promotional_credit' as const);
/** Uses credit as a close does: held, recorded, and booked with the bill. */
const use = (billId: string, of: BillingMonth, parts: readonly (readonly [GrantInForce, number])[]) =>
  unit(async (ctx) => {
    expect(
      await holdGrants(
        ctx,
        parts.map(([grant]) => grant),
      ),
    ).toBe(true);
    const bill = { billId, billNumber: `B-${billId.slice(-3)}`, month: of };
    await recordUses(
      ctx,
      parts.map(([grant, minor]) => ({ ...bill, grantId: grant.id, amount: twd(minor) })),
    );
    await append(
      ctx,
      parts.map(([grant, minor]) => book(`${billId} ${grant.id}`, grant.kind, BigInt(minor))),
    );
  });
const book = (reference: string, kind: GrantInForce['kind'], minor: bigint) => ({
  kind: 'bill' as const,
  reference,
  entries: balanced([
    { account: { kind: accountOf(kind), organizationId: one.organizationId, currency: 'TWD' }, minor },
    { account: { kind: 'revenue', organizationId: null, currency: 'TWD' }, minor: -minor },
  ]),
});
const bill = (name: string) => `bil_${name.padStart(26, '0')}` as Id<'bil'>;
/** More paid credit than any bill used. */
const everything = twd(10n ** 12n);
/** Voids a bill: its credit is restored and booked with the void. */
const restore = (billId: Id<'bil'>) =>
  unit(async (ctx) => {
    const restored = await restoreUses(ctx, billId, everything);
    await append(
      ctx,
      restored.map(({ grantId, kind, amount }) => book(`void ${billId} ${grantId}`, kind, -amount.minor)),
    );
    return restored;
  });
/** The amounts that the transactions of this organization moved, by account. */
const ledger = async (): Promise<Record<string, bigint>> => {
  const { rows } = await sql<{ kind: string; minor: bigint }>`
    select a.kind, sum(e.amount_minor)::bigint as minor from ledger_entry e join ledger_account a on a.id = e.account_id
    where a.currency = 'TWD' and e.transaction_id in (select x.transaction_id from ledger_entry x join ledger_account y on y.id = x.account_id where y.organization_id = ${one.organizationId})
    group by 1 having sum(e.amount_minor) <> 0`.execute(db());
  return Object.fromEntries(rows.map((row) => [row.kind, row.minor]));
};

/** Invariants. */
async function expectSound(): Promise<void> {
  const { rows } = await sql<{ wrong: string }>`
    select 'figures of ' || g.id as wrong from credit_grant g left join lateral (
        select coalesce(sum(minor), 0) as rest, coalesce(sum(minor) filter (where kind = 'granted'), 0) as granted, coalesce(-sum(minor) filter (where kind in ('used', 'restored')), 0) as used,
          coalesce(-sum(minor) filter (where kind = 'expired'), 0) as expired, coalesce(-sum(minor) filter (where kind = 'withdrawn'), 0) as withdrawn
        from credit_movement where grant_id = g.id) m on true
      where (g.remaining_minor, g.granted_minor, g.used_minor, g.expired_minor, g.withdrawn_minor) <> (m.rest, m.granted, m.used, m.expired, m.withdrawn)
    union all select 'rest below zero of ' || id from credit_grant where remaining_minor < 0
    union all select 'account ' || a.kind || ' of ' || a.organization_id from ledger_account a
      where a.kind in ('deferred_revenue', 'promotional_credit')
        and -a.balance_minor <> (select coalesce(sum(g.remaining_minor), 0) from credit_grant g where g.organization_id = a.organization_id and g.currency = a.currency and g.kind = case a.kind when 'deferred_revenue' then 'paid' else 'promotional' end)
    union all select 'movement without its transaction ' || m.id from credit_movement m where m.kind in ('granted', 'expired', 'withdrawn') and not exists (select from ledger_transaction t where t.kind = 'credit_grant' and t.reference = m.id)
    union all select 'transaction without its movement ' || t.reference from ledger_transaction t where t.kind = 'credit_grant' and not exists (select from credit_movement m where m.id = t.reference)
    union all select 'currency ' || currency from ledger_entry group by currency having sum(amount_minor) <> 0`.execute(
    db(),
  );
  expect(rows).toEqual([]);
}

beforeAll(async () => {
  console = await createTestConsole(new Date('2026-11-10T04:00:00Z'));
  admin = await setUp(console);
});
beforeEach(async () => {
  console.clock.set(new Date('2026-11-10T04:00:00Z'));
  admin = await signIn(console, adminAccount.account, adminAccount.password);
  one = await organization();
  return expectSound;
});

describe('T-GRANT: granting credit', () => {
  it('promotional credit is a promotion cost, and its terms are stored', async () => {
    const grant = await given({ expiresOn: '2026-12-15' as LocalDay, priority: 10, note: 'fair 2026' });
    expect(grant).toMatchObject({
      kind: 'promotional',
      origin: 'admin',
      state: 'active',
      amount: twd(1000),
      left: twd(1000),
      used: twd(0),
      priority: 10,
      scope: { services: null, charges: null, usageOnly: false },
      startsOn: november,
      lastMonth: december,
      recurring: null,
      note: 'fair 2026',
      createdBy: 'Operator',
      movements: [{ kind: 'granted', month: november, amount: twd(1000), after: twd(1000), by: 'Operator' }],
    });
    expect(await ledger()).toEqual({ promotions: 1000n, promotional_credit: -1000n });
    const { items } = await console.ok(
      books.listTransactions,
      { organizationId: one.organizationId, limit: 1 },
      { token: admin },
    );
    expect(items).toMatchObject([
      {
        kind: 'credit_grant',
        reference: { id: grant.movements[0]?.id },
        entries: [
          { accountKind: 'promotions', debit: twd(1000) },
          { accountKind: 'promotional_credit', credit: twd(1000) },
        ],
      },
    ]);
    const inbox = await console.ok(notifications.listNotifications, {}, { token: one.token });
    expect(inbox.items[0]?.message).toBe('You received NT$1,000 of credit: Welcome.');
  });

  it('paid credit is bought with the balance, and an error shows what is missing', async () => {
    await topUp(twd(700));
    const refused = await give({ kind: 'paid' });
    expect([refused.status, refused.envelope.code, refused.envelope.message]).toEqual([
      409,
      'creditgrants.balance_too_low',
      'The prepaid balance is NT$300 short. Top up the balance first, or choose a smaller amount.',
    ]);
    await given({ kind: 'paid', amount: twd(700) });
    expect(await ledger()).toMatchObject({ deferred_revenue: -700n });
    expect((await console.ok(payments.balance, {}, { token: one.token })).balances).toEqual([twd(0)]);
  });

  it('money of a pending refund is not spent', async () => {
    await topUp(twd(500));
    const [payment] = (
      await console.ok(payments.adminListPayments, { organizationId: one.organizationId }, { token: admin })
    ).items;
    await sql`insert into payment_refund (id, payment_id, organization_id, state, amount_minor, currency, reason, origin, created_at, created_by, is_unsure)
      values (${`rfd_${'0'.repeat(24)}${String(count).padStart(2, '0')}`}, ${payment?.id}, ${one.organizationId}, 'pending', 200, 'TWD', 'x', 'admin', now(), 'x', false)`.execute(
      db(),
    );
    expect((await give({ kind: 'paid', amount: twd(301) })).envelope.message).toContain('NT$1 short');
    expect((await give({ kind: 'paid', amount: twd(300) })).status).toBe(201);
  });

  it.each<[string, Terms, string, string]>([
    ['nothing', { amount: twd(0) }, 'creditgrants.amount_not_positive', 'amount'],
    [
      'a service that does not exist',
      { scope: { services: [`svc_${'0'.repeat(26)}` as Id<'svc'>], usageOnly: false } },
      'creditgrants.service_unknown',
      'scope.services',
    ],
    [
      'an end before its start',
      { expiresOn: '2026-10-31' as LocalDay },
      'creditgrants.ends_too_early',
      'expiresOn',
    ],
    [
      'monthly paid credit',
      { kind: 'paid', recurring: { rollover: true } },
      'creditgrants.paid_recurs',
      'recurring',
    ],
    ['a start long ago', { startsOn: month('2026-09') }, 'creditgrants.starts_too_early', 'startsOn'],
  ])('rejects %s at its field, in both languages', async (_name, terms, code, field) => {
    const { status, envelope } = await give(terms);
    expect([status, envelope.code, envelope.errors?.map(({ field }) => field)]).toEqual([400, code, [field]]);
    const inChinese = await console.call(
      creditgrants.giveGrant,
      {
        organizationId: one.organizationId,
        kind: 'promotional',
        name: { zhTW: 'a', enUS: 'a' },
        amount: twd(1),
        ...terms,
      },
      { token: admin, language: 'zhTW' },
    );
    expect(inChinese.envelope.message).toMatch(/\p{Script=Han}/u);
  });

  it('twice with one key grants once', async () => {
    const body = {
      organizationId: one.organizationId,
      kind: 'promotional',
      name: { zhTW: 'a', enUS: 'a' },
      amount: twd(5),
    } as const;
    const again = () =>
      console.ok(creditgrants.giveGrant, body, {
        token: admin,
        headers: { 'idempotency-key': `give-${one.organizationId}` },
      });
    const first = await again();
    expect((await again()).id).toBe(first.id);
    expect(await available(november)).toEqual([5n]);
  });
});

describe('T-GRANT: credit available to a month’s bill', () => {
  it('is in burn order, only from grants that cover the month and have a remainder', async () => {
    await given({ amount: twd(1), priority: 60 });
    await given({ amount: twd(2), expiresOn: '2026-12-01' as LocalDay });
    await given({ amount: twd(3), expiresOn: '2026-11-30' as LocalDay });
    await given({ amount: twd(4), startsOn: december });
    await given({ amount: twd(5), startsOn: october, expiresOn: '2026-10-31' as LocalDay });
    await given({ amount: money(600n, 'USD'), priority: 0 });
    expect(await available(november)).toEqual([600n, 3n, 2n, 1n]);
    expect(await available(december)).toEqual([600n, 2n, 4n, 1n]);
    expect(await available(october)).toEqual([5n]);
    // Each of several organizations gets its own.
    const other = await organization();
    const both = await unit((ctx) => grantsOf(ctx, [one.organizationId, other.organizationId], november));
    expect([...both.keys()]).toEqual([one.organizationId]);
  });

  it('falls with the bills that use it and rises when one is voided', async () => {
    const grant = await given();
    const [read] = await inForce(november);
    await use(bill('1'), november, [[required(read, 'the grant'), 300]]);
    expect(await available(november)).toEqual([700n]);
    // As if the bill were void, before it is.
    expect(await available(november, bill('1'))).toEqual([1000n]);
    const restored = await restore(bill('1'));
    expect(restored).toEqual([{ grantId: grant.id, kind: 'promotional', amount: twd(300) }]);
    expect(await available(november)).toEqual([1000n]);
    expect(await available(november, bill('1'))).toEqual([1000n]);
    // A second time there is nothing to restore.
    expect(await unit((ctx) => restoreUses(ctx, bill('1'), everything))).toEqual([]);
    expect(await moves(grant.id)).toEqual([
      ['granted', november, 1000n, 1000n],
      ['used', november, -300n, 700n],
      ['restored', november, 300n, 1000n],
    ]);
  });

  it('is shown as if a bill were void even when that bill used all of it', async () => {
    await given();
    const [read] = await inForce(november);
    await use(bill('2'), november, [[required(read, 'the grant'), 1000]]);
    expect(await available(november)).toEqual([]);
    expect(await available(november, bill('2'))).toEqual([1000n]);
  });

  it('can be held once per read, because the version has changed then', async () => {
    await given();
    const [read] = await inForce(november);
    expect(read?.version).toBe(0n);
    expect(await unit((ctx) => holdGrants(ctx, []))).toBe(true);
    expect(await unit((ctx) => holdGrants(ctx, [required(read, 'the grant')]))).toBe(true);
    expect(await unit((ctx) => holdGrants(ctx, [required(read, 'the grant')]))).toBe(false);
    const [again] = await inForce(november);
    expect(await unit((ctx) => holdGrants(ctx, [required(again, 'the grant')]))).toBe(true);
  });

  it('is used once by 50 concurrent closes that read the same credit', async () => {
    const grant = await given();
    const [read] = await inForce(november);
    const used = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        unit(async (ctx) => {
          if (!(await holdGrants(ctx, [required(read, 'the grant')]))) return false;
          await recordUses(ctx, [
            {
              grantId: grant.id,
              billId: bill(`r${index}`),
              billNumber: 'B',
              month: november,
              amount: twd(1000),
            },
          ]);
          await append(ctx, [book(`race ${grant.id} ${index}`, 'promotional', 1000n)]);
          return true;
        }),
      ),
    );
    expect(used.filter(Boolean)).toHaveLength(1);
    expect((await detail(grant.id)).left).toEqual(twd(0));
  });

  it('cannot go below zero in the database, also within a month', async () => {
    const grant = await given({ amount: twd(100) });
    const overdraw = (grantId: Id<'cgr'>, of: BillingMonth, minor: number) =>
      unit((ctx) =>
        recordUses(ctx, [{ grantId, billId: bill('3'), billNumber: 'B', month: of, amount: twd(minor) }]),
      );
    await expect(overdraw(grant.id, november, 101)).rejects.toThrow('remaining_minor');
    const each = await given({ amount: twd(100), startsOn: october, recurring: { rollover: false } });
    expect((await detail(each.id)).movements).toHaveLength(2);
    await expect(overdraw(each.id, november, 101)).rejects.toThrow('less left for that month');
    await expect(sql`update credit_movement set minor = 1`.execute(db())).rejects.toThrow('never changed');
    await expect(sql`delete from credit_grant`.execute(db())).rejects.toThrow('never changed');
    await expect(
      sql`update credit_grant set amount_minor = 1 where id = ${grant.id}`.execute(db()),
    ).rejects.toThrow('are fixed');
  });
});

describe('T-GRANT: recurring credit', () => {
  const renew = (of: BillingMonth) => unit((ctx) => renewGrants(ctx, of));

  it('without rollover grants the amount each month, and the rest of a month expires with it', async () => {
    const grant = await given({ amount: twd(100), recurring: { rollover: false } });
    const [read] = await inForce(november);
    await use(bill('4'), november, [[required(read, 'the grant'), 30]]);
    await moveTo('2026-12-02T04:00:00Z');
    await renew(december);
    await renew(december);
    expect(await available(november)).toEqual([70n]);
    expect(await available(december)).toEqual([100n]);
    expect((await detail(grant.id)).left).toEqual(twd(100));
    await unit((ctx) => expireGrants(ctx, [one.organizationId], november));
    await unit((ctx) => expireGrants(ctx, [one.organizationId], november));
    expect(await available(november)).toEqual([]);
    expect(await available(december)).toEqual([100n]);
    expect(await moves(grant.id)).toEqual([
      ['granted', november, 100n, 100n],
      ['used', november, -30n, 70n],
      ['granted', december, 100n, 170n],
      ['expired', november, -70n, 100n],
    ]);
    expect(await ledger()).toMatchObject({ promotions: 130n, promotional_credit: -100n });
    // Voiding later makes the bill’s credit available for that month again, and not for another.
    await restore(bill('4'));
    expect(await available(november)).toEqual([30n]);
    expect(await available(december)).toEqual([100n]);
    // Nobody used it, so the next close expires it, too.
    await unit((ctx) => expireGrants(ctx, [one.organizationId], november));
    expect(await available(november)).toEqual([]);
  });

  it('with rollover keeps the rest until the last month ends', async () => {
    const grant = await given({
      amount: twd(100),
      recurring: { rollover: true },
      expiresOn: '2026-12-31' as LocalDay,
    });
    expect(await available(november)).toEqual([100n]);
    // Ahead of its renewal.
    expect(await available(december)).toEqual([200n]);
    await moveTo('2026-12-31T04:00:00Z');
    await renew(december);
    await unit((ctx) => expireGrants(ctx, [one.organizationId], november));
    const [read] = await inForce(december);
    expect(read?.available).toEqual(twd(200));
    await use(bill('5'), december, [[required(read, 'the grant'), 150]]);
    // Reissuing November uses what the months up to it were granted, less all uses.
    expect(await available(november)).toEqual([]);
    await moveTo('2027-01-03T04:00:00Z');
    await renew(month('2027-01'));
    await unit((ctx) => expireGrants(ctx, [one.organizationId], december));
    expect(await moves(grant.id)).toEqual([
      ['granted', november, 100n, 100n],
      ['granted', december, 100n, 200n],
      ['used', december, -150n, 50n],
      ['expired', december, -50n, 0n],
    ]);
    expect((await detail(grant.id)).state).toBe('expired');
  });

  it('begins when the organization’s own time zone reaches the month', async () => {
    const grant = await given({ amount: twd(7), recurring: { rollover: false } });
    await sql`update organization set time_zone = 'America/New_York' where id = ${one.organizationId}`.execute(
      db(),
    );
    // December in Taipei and UTC, still November in New York.
    console.clock.set(new Date('2026-12-01T04:59:00Z'));
    await renew(december);
    expect(await available(december)).toEqual([7n]);
    expect((await unit((ctx) => grantsOf(ctx, [one.organizationId], december))).size).toBe(1);
    const granted = async () =>
      (
        await sql<{
          n: bigint;
        }>`select count(*) as n from credit_movement where grant_id = ${grant.id}`.execute(db())
      ).rows[0]?.n;
    expect(await granted()).toBe(1n);
    console.clock.set(new Date('2026-12-01T05:00:00Z'));
    await renew(november);
    expect(await granted()).toBe(1n);
    await renew(december);
    expect(await granted()).toBe(2n);
    await sql`update organization set time_zone = 'Asia/Taipei' where id = ${one.organizationId}`.execute(
      db(),
    );
  });

  it('20 concurrent renewals grant each month once, including missed ones', async () => {
    const grant = await given({ amount: twd(10), recurring: { rollover: true } });
    console.clock.set(new Date('2027-02-10T04:00:00Z'));
    await Promise.all(Array.from({ length: 20 }, () => renew(month('2027-02'))));
    admin = await signIn(console, adminAccount.account, adminAccount.password);
    expect((await moves(grant.id)).map(([, of]) => of)).toEqual([november, december, '2027-01', '2027-02']);
    expect((await detail(grant.id)).left).toEqual(twd(40));
  });
});

describe('T-GRANT: expired and withdrawn credit', () => {
  it('paid credit that expires is breakage, and stays until its last month is closed', async () => {
    await topUp(twd(500));
    const grant = await given({ kind: 'paid', amount: twd(500), expiresOn: '2026-11-30' as LocalDay });
    await unit((ctx) => expireGrants(ctx, [one.organizationId], october));
    const other = await organization();
    await unit((ctx) => expireGrants(ctx, [other.organizationId], november));
    expect((await detail(grant.id)).left).toEqual(twd(500));
    await moveTo('2026-12-02T04:00:00Z');
    // Its last month is over, but that month’s bill is not issued yet.
    expect((await detail(grant.id)).state).toBe('active');
    const [read] = await inForce(november);
    await use(bill('6'), november, [[required(read, 'the grant'), 120]]);
    await unit((ctx) => expireGrants(ctx, null, november));
    expect((await detail(grant.id)).state).toBe('expired');
    expect(await ledger()).toEqual({ cash: 500n, breakage: -380n, revenue: -120n });
  });

  it('withdrawn paid credit returns to the balance, and the organization is notified', async () => {
    await topUp(twd(500));
    const grant = await given({ kind: 'paid', amount: twd(500) });
    const [read] = await inForce(november);
    await use(bill('7'), november, [[required(read, 'the grant'), 120]]);
    const { data } = await withdraw(grant.id);
    expect(data).toMatchObject({
      state: 'withdrawn',
      left: twd(0),
      used: twd(120),
      withdrawnBy: 'Operator',
      withdrawalReason: 'by mistake',
    });
    expect((await console.ok(payments.balance, {}, { token: one.token })).balances).toEqual([twd(380)]);
    expect((await withdraw(grant.id)).envelope.code).toBe('creditgrants.already_withdrawn');
    expect(await available(november)).toEqual([]);
    const messages = await console.ok(notifications.listNotifications, {}, { token: one.token });
    expect(messages.items[0]?.message).toContain('NT$380 was returned to your balance');
    // Its bill is voided: that credit also goes to the balance.
    await restore(bill('7'));
    expect((await console.ok(payments.balance, {}, { token: one.token })).balances).toEqual([twd(500)]);
    expect(await available(november)).toEqual([]);
    expect(await moves(grant.id)).toEqual([
      ['granted', november, 500n, 500n],
      ['used', november, -120n, 380n],
      ['withdrawn', november, -380n, 0n],
      ['restored', november, 120n, 120n],
      ['withdrawn', november, -120n, 0n],
    ]);
  });

  it('withdrawn recurring credit is not renewed, and the rest of every month is taken back', async () => {
    const grant = await given({ amount: twd(100), startsOn: october, recurring: { rollover: false } });
    await withdraw(grant.id);
    console.clock.set(new Date('2026-12-05T04:00:00Z'));
    await unit((ctx) => renewGrants(ctx, december));
    admin = await signIn(console, adminAccount.account, adminAccount.password);
    expect(await moves(grant.id)).toEqual([
      ['granted', october, 100n, 100n],
      ['granted', november, 100n, 200n],
      ['withdrawn', october, -100n, 100n],
      ['withdrawn', november, -100n, 0n],
    ]);
    expect(await available(december)).toEqual([]);
  });

  it('used-up credit cannot be withdrawn', async () => {
    const grant = await given({ amount: twd(10) });
    const [read] = await inForce(november);
    await use(bill('8'), november, [[required(read, 'the grant'), 10]]);
    expect((await detail(grant.id)).state).toBe('used_up');
    expect((await withdraw(grant.id)).envelope.code).toBe('creditgrants.nothing_to_withdraw');
  });

  it('50 concurrent withdrawals and uses spend every dollar once', async () => {
    await topUp(twd(1000));
    const grant = await given({ kind: 'paid' });
    const [read] = await inForce(november);
    const results = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        index % 2 === 0
          ? withdraw(grant.id).then(({ status }) => (status === 200 ? 'withdrawn' : 'refused'))
          : unit(async (ctx) => {
              if (!(await holdGrants(ctx, [required(read, 'the grant')]))) return 'refused';
              await recordUses(ctx, [
                {
                  grantId: grant.id,
                  billId: bill(`w${index}`),
                  billNumber: 'B',
                  month: november,
                  amount: twd(600),
                },
              ]);
              await append(ctx, [book(`withdraw ${grant.id} ${index}`, 'paid', 600n)]);
              return 'used';
            }),
      ),
    );
    expect(results.filter((result) => result === 'withdrawn')).toHaveLength(1);
    expect(results.filter((result) => result === 'used').length).toBeLessThanOrEqual(1);
    const used = results.includes('used') ? 600 : 0;
    expect((await console.ok(payments.balance, {}, { token: one.token })).balances).toEqual([
      twd(1000 - used),
    ]);
  });
});

describe('T-GRANT: lists', () => {
  const list = (input: Partial<In<typeof creditgrants.adminListGrants>>) =>
    console.ok(
      creditgrants.adminListGrants,
      { organizationId: one.organizationId, ...input },
      { token: admin },
    );

  it('filter by kind, state, currency and text, and sort', async () => {
    await topUp(twd(5));
    await given({ kind: 'paid', amount: twd(5), note: 'contract 77' });
    await given({ amount: money(3n, 'USD'), startsOn: december });
    await given({ amount: twd(9), expiresOn: '2026-11-30' as LocalDay });
    const amounts = async (input: Parameters<typeof list>[0]) =>
      (await list(input)).items.map(({ amount }) => amount.minor);
    expect(await amounts({})).toEqual([9n, 3n, 5n]);
    expect(await amounts({ kind: 'paid' })).toEqual([5n]);
    expect(await amounts({ state: 'upcoming' })).toEqual([3n]);
    expect(await amounts({ state: 'active', sort: '-amount' })).toEqual([9n, 5n]);
    expect(await amounts({ currency: 'USD' })).toEqual([3n]);
    expect(await amounts({ q: 'contract' })).toEqual([5n]);
    expect(await amounts({ sort: 'lastMonth' })).toEqual([9n, 5n, 3n]);
    const first = await list({ sort: 'amount', limit: 2 });
    expect([first.total, first.items.map(({ amount }) => amount.minor)]).toEqual([3, [3n, 5n]]);
    expect(
      (await list({ sort: 'amount', limit: 2, cursor: first.nextCursor ?? '' })).items.map(
        ({ amount }) => amount.minor,
      ),
    ).toEqual([9n]);
    const { body } = await console.ok(
      creditgrants.adminExportGrants,
      { organizationId: one.organizationId, format: 'csv', language: 'zhTW', sort: 'amount' },
      { token: admin },
    );
    const lines = new TextDecoder()
      .decode(body as Uint8Array)
      .trim()
      .split('\r\n');
    expect(lines).toHaveLength(4);
    expect(lines[2]).toContain('迎新額度,預付,可使用,TWD,5,5,0,一次,所有服務');
  });

  it('of customers show their own credit without notes and names of staff', async () => {
    await topUp(twd(40));
    await given({ kind: 'paid', amount: twd(40), note: 'secret remark' });
    await given({ amount: twd(9), recurring: { rollover: false } });
    const [read] = await inForce(november);
    await use(bill('9'), november, [[required(read, 'a grant'), 4]]);
    const own = await console.ok(creditgrants.ownCredits, {}, { token: one.token });
    expect(own.totals).toEqual([
      {
        currency: 'TWD',
        paid: twd(36),
        promotional: twd(9),
        planned: { paid: twd(0), promotional: twd(0) },
        balance: twd(0),
      },
    ]);
    expect(own.grants.map(({ left }) => left.minor).toSorted()).toEqual([36n, 9n]);
    expect(own.movements[0]).toMatchObject({
      kind: 'used',
      amount: twd(-4),
      after: twd(36),
      bill: { id: bill('9') },
    });
    expect(own.offer).toBeNull();
    expect(
      JSON.stringify(own, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
    ).not.toMatch(/secret remark|Operator/);
    const other = await organization();
    expect(await console.ok(creditgrants.ownCredits, {}, { token: other.token })).toMatchObject({
      grants: [],
      movements: [],
    });
  });
});
