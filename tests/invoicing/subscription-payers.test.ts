// Organizations that pay for single subscriptions of others, on a real database: each payer gets a bill of
// its part with its own taxes, terms stay with the own part, nothing is billed twice or to nobody, and nobody
// sees what belongs to another; with the independent checker after each step (R-BILL-05, T-PAYER).
import { sql } from 'kysely';
import type pg from 'pg';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { required } from '#kernel/assert.ts';
import type { Id } from '#kernel/ids.ts';
import { moneyText } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { billProofs } from '#features/operations/bill-proofs/contract.ts';
import { billing, type BillDetail } from '#features/invoicing/billing/contract.ts';
import { consolidateBills, plannedFees } from '#features/invoicing/billing/server/index.ts';
import { organizationsByIds } from '#features/access/identity/server/index.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { creditgrants } from '#features/invoicing/credit-grants/contract.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { creditLimits } from '#features/receivables/credit-limits/contract.ts';
import { credits } from '#features/invoicing/credits/contract.ts';
import { dunning } from '#features/receivables/dunning/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { oneOffs } from '#features/invoicing/one-offs/contract.ts';
import { payers } from '#features/invoicing/payers/contract.ts';
import { resellers } from '#features/invoicing/resellers/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { checkerOf, foundBy } from '../../verify/test-found.ts';
import {
  at,
  bills,
  close,
  customer,
  db,
  expectVerified,
  fee,
  moveTo,
  november,
  october,
  september,
  startBilling,
  twd,
  use,
  type Customer,
} from '../support/corrections.ts';
import { runFeatureJob } from '../support/jobs.ts';

const [december, january, february, march] = [
  '2024-12',
  '2025-01',
  '2025-02',
  '2025-03',
] as BillingMonth[] as [BillingMonth, BillingMonth, BillingMonth, BillingMonth];
let client: pg.Client;
/** Two organizations that each pay for one subscription of the third, and an unrelated one. */
let north: Customer;
let south: Customer;
let user: Customer;
let stranger: Customer;
let reseller: Customer;

beforeAll(async () => {
  await startBilling();
  client = await checkerOf(at.console);
  north = await customer(fee('50'));
  south = await customer(fee('60'));
  user = await customer(fee('100'), fee('30'), fee('10'));
  stranger = await customer(fee('300'));
  await moveTo('2024-09-10T00:00:00Z');
});
afterEach(expectEachVerified);

async function expectEachVerified(): Promise<void> {
  await expectVerified(client);
  // And each organization’s own check, which sees its own part of what it shares with another.
  for (const one of [north, user]) expect(await foundBy(client, one.organizationId)).toEqual([]);
}

const asAdmin = () => ({ token: at.admin });
const as = (one: Customer) => ({ token: one.token });
const subscriptionOf = (one: Customer, index: number): Id<'sub'> =>
  required(one.subscriptionIds[index], 'a subscription');
const set = (index: number, payer: Customer | null, from: BillingMonth, one = user) =>
  at.console.call(
    payers.setSubscriptionPayer,
    { subscriptionId: subscriptionOf(one, index), payerId: payer?.organizationId ?? null, from },
    asAdmin(),
  );
const setAll = (one: Customer, payer: Customer | null, from: BillingMonth) =>
  at.console.call(
    payers.setPayer,
    { organizationId: one.organizationId, payerId: payer?.organizationId ?? null, from },
    asAdmin(),
  );
const sell = (one: Customer, from: BillingMonth) =>
  at.console.call(
    resellers.setReseller,
    { organizationId: one.organizationId, resellerId: reseller.organizationId, from },
    asAdmin(),
  );
const shown = ({ state, usedBy, lines, net: whole, tax, buyer }: BillDetail): string =>
  `${state} of ${usedBy?.organization ?? 'itself'} to ${buyer.name}: ${lines.map(({ kind, total }) => `${kind} ${moneyText(total)}`).join(', ')} = ${moneyText(whole)} + ${moneyText(tax)}`;
const of = async (one: Customer, month: BillingMonth): Promise<string[]> =>
  (await bills(one, month)).map(shown);
/** The newest bill of a payer for the user’s subscriptions. */
const partOf = async (payer: Customer, month: BillingMonth): Promise<BillDetail> =>
  required(
    (await bills(payer, month)).findLast((bill) => bill.usedBy?.organizationId === user.organizationId),
    'the bill of a part',
  );
const voidBill = (bill: BillDetail) =>
  at.console.ok(credits.voidBill, { billId: bill.id, reason: 'wrong' }, asAdmin());
const reissue = (bill: BillDetail) =>
  at.console.ok(credits.reissueBill, { billId: bill.id, reason: 'wrong' }, asAdmin());

describe('T-PAYER: setting a payer of a subscription', () => {
  it('is rejected with a message at the wrong field', async () => {
    const refused = async (answer: ReturnType<typeof set> | ReturnType<typeof setAll>) => {
      const { envelope } = await answer;
      return [envelope.code, envelope.errors?.[0]?.field];
    };
    expect(await refused(set(1, user, september))).toEqual(['payers.uses_it', 'payerId']);
    expect(await refused(set(1, north, '2023-08' as BillingMonth))).toEqual([
      'payers.month_too_early',
      'from',
    ]);
    expect(await refused(set(1, north, '2026-10' as BillingMonth))).toEqual([
      'payers.month_too_late',
      'from',
    ]);
    const nobody = { ...north, organizationId: `org_${'0'.repeat(26)}` as Id<'org'> };
    expect(await refused(set(1, nobody, september))).toEqual(['payers.payer_not_found', 'payerId']);
    const nothing = { ...user, subscriptionIds: [`sub_${'0'.repeat(26)}` as Id<'sub'>] };
    expect(await refused(set(0, north, september, nothing))).toEqual([
      'payers.subscription_not_found',
      'subscriptionId',
    ]);
    const metered = await customer(fee('1'));
    const service = await at.console.ok(
      subscriptions.adminListSubscriptions,
      { organizationId: metered.organizationId },
      asAdmin(),
    );
    await at.console.ok(
      catalogue.updateService,
      {
        serviceId: required(service.items[0], 'a subscription').service.id,
        requiresPrepaidCredit: true,
      },
      asAdmin(),
    );
    expect(await refused(set(0, north, september, metered))).toEqual([
      'payers.needs_credit',
      'subscriptionId',
    ]);
    await setAll(user, stranger, september);
    expect(await refused(set(1, stranger, september))).toEqual(['payers.pays_anyway', 'payerId']);
    expect((await set(1, north, september)).status).toBe(200);
    await setAll(user, null, september);
    expect((await set(2, south, september)).status).toBe(200);
    // One level, for organizations and subscriptions: an organization with a payer cannot pay for another,
    // nor the reverse.
    expect(await refused(set(0, user, october, stranger))).toEqual(['payers.payer_has_payer', 'payerId']);
    expect(await refused(set(0, stranger, october, north))).toEqual([
      'payers.organization_pays',
      'subscriptionId',
    ]);
    expect(await refused(setAll(stranger, user, october))).toEqual(['payers.payer_has_payer', 'payerId']);
    expect(await refused(setAll(north, stranger, october))).toEqual([
      'payers.organization_pays',
      'organizationId',
    ]);
  });

  it('rejects one of two concurrent changes that would make a chain', async () => {
    const [a, b] = [await customer(fee('1')), await customer(fee('1'))];
    const answers = await Promise.all([set(0, b, october, a), set(0, stranger, october, b)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    await set(0, null, october, a);
    await set(0, null, october, b);
  });

  it('is rejected for subscriptions that a reseller sells, and a reseller cannot take over subscriptions with other payers', async () => {
    reseller = await customer();
    const resold = await customer(fee('1'));
    await at.console.ok(
      resellers.makeReseller,
      {
        organizationId: reseller.organizationId,
        name: 'Reseller',
        numberPrefix: 'RS',
        taxRate: '5',
        dueDays: 14,
        instructions: '',
      },
      asAdmin(),
    );
    expect((await sell(resold, september)).status).toBe(200);
    const refused = await set(0, stranger, october, resold);
    expect([refused.envelope.code, refused.envelope.errors?.[0]?.field]).toEqual([
      'payers.organization_resold',
      'subscriptionId',
    ]);
    expect((await sell(user, october)).envelope.code).toBe('payers.subscriptions_paid');
  });

  it('is listed with its history, notified to both, and has no further effect when repeated', async () => {
    expect((await set(1, north, september)).status).toBe(200);
    const { items } = await at.console.ok(payers.listSubscriptionPayers, { sort: 'service' }, asAdmin());
    expect(
      items.map(({ service, organization, payer, from, until, state }) => [
        service,
        organization,
        payer,
        from,
        until,
        state,
      ]),
    ).toEqual([
      ['S3-1', 'C3', 'C1', september, null, 'current'],
      ['S3-2', 'C3', 'C2', september, null, 'current'],
    ]);
    const own = (one: Customer) => at.console.ok(payers.ownPayers, {}, as(one));
    expect((await own(user)).subscriptions).toEqual({
      paidBy: [
        {
          subscriptionId: subscriptionOf(user, 1),
          service: 'S3-1',
          organization: 'C1',
          from: september,
          until: null,
        },
        {
          subscriptionId: subscriptionOf(user, 2),
          service: 'S3-2',
          organization: 'C2',
          from: september,
          until: null,
        },
      ],
      paysFor: [],
    });
    expect(await own(north)).toEqual({
      paidBy: [],
      paysFor: [],
      subscriptions: {
        paidBy: [],
        paysFor: [{ service: 'S3-1', organization: 'C3', from: september, until: null }],
      },
    });
    expect((await own(stranger)).subscriptions).toEqual({ paidBy: [], paysFor: [] });
  });
});

describe('T-PAYER: a closed month with several payers', () => {
  it('the running month shows what is billed to the organization itself, and to whom the rest', async () => {
    await at.console.ok(
      creditgrants.giveGrant,
      {
        organizationId: user.organizationId,
        name: { zhTW: '贈送', enUS: 'Gift' },
        kind: 'promotional',
        amount: twd(500),
      } as never,
      asAdmin(),
    );
    await at.console.ok(
      oneOffs.createMinimumSpend,
      { organizationId: user.organizationId, amount: twd(150) },
      asAdmin(),
    );
    // The user would pay no tax; its payers do. The other payer is exempt.
    await at.console.ok(
      identity.adminUpdateOrganization,
      { organizationId: south.organizationId, taxStatus: 'exempt' } as never,
      asAdmin(),
    );
    await use(user, 'a', '6', '2024-09-05T00:00:00Z');
    await use(user, 'b', '7', '2024-09-05T00:00:00Z', {}, 1);
    await use(user, 'c', '8', '2024-09-05T00:00:00Z', {}, 2);
    const current = await at.console.ok(billing.currentBill, {}, as(user));
    expect(
      current.bills.map(({ lines }) => lines.map(({ kind, total }) => `${kind} ${moneyText(total)}`)),
    ).toEqual([['base_fee 100', 'usage 6', 'minimum_spend 44', 'promotional_credit -150']]);
    expect(
      current.paidByOthers.map(({ payer, services, net, tax, total }) => [
        payer,
        services,
        ...[net, tax, total].map(moneyText),
      ]),
    ).toEqual([
      ['C1', ['S3-1'], '37', '2', '39'],
      ['C2', ['S3-2'], '18', '0', '18'],
    ]);
    expect(
      (await at.console.ok(billing.currentBill, {}, as(north))).bills.map(({ net }) => moneyText(net)),
    ).toEqual(['50']);
  });

  it('fees of later months are counted, whoever pays for them', async () => {
    const fees = await unitOfWork(
      at.console.app,
      { actor: { kind: 'system', name: 'test' }, mode: 'read' },
      async (ctx) => plannedFees(ctx, await organizationsByIds(ctx, [user.organizationId]), [october]),
    );
    // The granted credit pays all of the own fee, and nothing of those with another payer.
    expect(fees.map(({ serviceName, month, minor }) => [serviceName, month, minor])).toEqual([
      ['S3-1', october, 30n],
      ['S3-2', october, 10n],
    ]);
  });

  it('unbilled amounts count against the credit limit of their payer', async () => {
    for (const [one, unbilled] of [
      [north, 53 + 39],
      [south, 60 + 18],
      [user, 0],
    ] as const) {
      const { organizationId } = one;
      await at.console.ok(
        creditLimits.setCreditLimit,
        { organizationId, currency: 'TWD', amount: twd(10_000) },
        asAdmin(),
      );
      const { items } = await at.console.ok(creditLimits.adminCreditLimit, { organizationId }, asAdmin());
      expect(items.map((item) => item.unbilled)).toEqual([twd(unbilled)]);
      await at.console.ok(
        creditLimits.setCreditLimit,
        { organizationId, currency: 'TWD', amount: null },
        asAdmin(),
      );
    }
  });

  it('each payer gets its part with its own taxes, and terms are only on the own part', async () => {
    await moveTo('2024-10-05T00:00:00Z');
    await at.console.ok(billing.previewClose, { month: september }, asAdmin());
    const { preview } = await at.console.ok(billing.getPreview, { month: september }, asAdmin());
    const { issued } = await close(september);
    const { rows } = await sql<{ bills: number; minor: bigint }>`
      select count(*)::int as bills, sum(total_minor)::bigint as minor from bill where month = ${september}`.execute(
      db(),
    );
    expect(preview?.totals.map(({ bills: count, total }) => [count, total])).toEqual([
      [issued, twd(rows[0]?.minor ?? 0n)],
    ]);
    expect(await of(user, september)).toEqual([
      'paid of itself to C3: base_fee 100, usage 6, minimum_spend 44, promotional_credit -150 = 0 + 0',
    ]);
    expect(await of(north, september)).toEqual([
      'open of itself to C1: base_fee 50 = 50 + 3',
      'open of C3 to C1: base_fee 30, usage 7 = 37 + 2',
    ]);
    expect(await of(south, september)).toEqual([
      'open of itself to C2: base_fee 60 = 60 + 0',
      'open of C3 to C2: base_fee 10, usage 8 = 18 + 0',
    ]);
    expect((await partOf(north, september)).bySubscription).toBe(true);
  });

  it('a repeated close makes no second bill, and the payer of a billed month cannot change', async () => {
    expect(await close(september)).toMatchObject({ issued: 0 });
    for (const payer of [south, null])
      expect((await set(1, payer, september)).envelope.code).toBe('payers.month_billed');
    expect((await set(0, north, september)).envelope.code).toBe('payers.month_billed');
  });

  it('the user sees all parts, and each payer only its own', async () => {
    const covered = async (one: Customer) =>
      (await at.console.ok(billing.listCoveredBills, {}, as(one))).items.map(({ payer, net }) => [
        payer,
        moneyText(net),
      ]);
    expect((await covered(user)).toSorted()).toEqual([
      ['C1', '37'],
      ['C2', '18'],
    ]);
    for (const one of [north, south, stranger]) expect(await covered(one)).toEqual([]);
    const [mine] = await bills(user, september);
    const [theirs, others] = [await partOf(north, september), await partOf(south, september)];
    const own = required(
      (await bills(north, september)).find(({ usedBy }) => usedBy === undefined),
      'the own bill of a payer',
    );
    for (const [one, foreign] of [
      [user, theirs],
      [user, own],
      [north, others],
      [north, required(mine, 'a bill')],
      [south, theirs],
      [stranger, theirs],
    ] as const) {
      const input = { billId: foreign.id };
      for (const answer of [
        await at.console.call(billing.getBill, input, as(one)),
        await at.console.call(billing.billPdf, input, as(one)),
        await at.console.call(billing.explainLine, { ...input, lineId: '1' }, as(one)),
        await at.console.call(billProofs.billProof, input, as(one)),
      ])
        expect(answer.status).toBe(404);
      // Bills without own usage are not among the covered ones.
      if (one !== user || foreign === own)
        expect((await at.console.call(billing.getCoveredBill, input, as(one))).status).toBe(404);
    }
    // The payer sees how its lines are computed, but neither the subscription itself nor its events.
    const explained = await at.console.ok(billing.explainLine, { billId: theirs.id, lineId: '2' }, as(north));
    expect(explained.days).toEqual([{ day: '2024-09-05', quantity: '7', events: 1 }]);
    const subscriptionId = subscriptionOf(user, 1);
    for (const answer of [
      await at.console.call(subscriptions.getSubscription, { subscriptionId }, as(north)),
      await at.console.call(billing.subscriptionLines, { subscriptionId }, as(north)),
    ])
      expect(answer.status).toBe(404);
  });
});

describe('T-PAYER: voiding and reissuing parts', () => {
  it('each bill is replaced by the same part to the same payer, and the others stay valid', async () => {
    const before = {
      user: (await of(user, september)).at(-1),
      north: (await of(north, september)).at(-1),
      south: (await of(south, september)).at(-1),
    };
    // Next month’s payer does not affect this one.
    expect((await set(1, south, october)).status).toBe(200);
    await reissue(await partOf(north, september));
    expect((await of(north, september)).slice(1)).toEqual([
      before.north?.replace('open', 'void'),
      before.north,
    ]);
    expect((await of(south, september)).at(-1)).toBe(before.south);
    await reissue(required((await bills(user, september))[0], 'the own bill'));
    expect(await of(user, september)).toEqual([before.user?.replace('paid', 'void'), before.user]);
    await reissue(await partOf(south, september));
    expect((await of(south, september)).at(-1)).toBe(before.south);
    expect((await of(north, september)).length).toBe(3);
    const again = await reissue(await partOf(north, september));
    expect(again.bySubscription).toBe(true);
  });

  it('two valid bills of one part are rejected by the database', async () => {
    const { id } = await partOf(north, september);
    await expect(
      sql`insert into bill select (jsonb_populate_record(b, jsonb_build_object('id', 'bil_twice', 'sequence', 999, 'number', 'B-202409-000999'))).* from bill b where id = ${id}`.execute(
        db(),
      ),
    ).rejects.toThrow(/bill_standing/);
  });
});

describe('T-PAYER: late usage and changing payers', () => {
  it('late usage is billed once, on the next bill of the subscription’s current payer', async () => {
    await use(user, 'late-a', '1', '2024-09-28T00:00:00Z');
    await use(user, 'late-b', '2', '2024-09-28T00:00:00Z', {}, 1);
    await use(user, 'late-c', '3', '2024-09-28T00:00:00Z', {}, 2);
    await moveTo('2024-11-05T00:00:00Z');
    await close(october);
    expect(await of(user, october)).toEqual([
      'paid of itself to C3: base_fee 100, adjustment 1, minimum_spend 49, promotional_credit -150 = 0 + 0',
    ]);
    expect(await of(north, october)).toEqual(['open of itself to C1: base_fee 50 = 50 + 3']);
    // The late usage of the subscription that another organization paid for in September, too.
    expect(await of(south, october)).toEqual([
      'open of itself to C2: base_fee 60 = 60 + 0',
      'open of C3 to C2: base_fee 30, base_fee 10, adjustment 2, adjustment 3 = 45 + 0',
    ]);
    await moveTo('2024-12-05T00:00:00Z');
    await close(november);
    for (const one of [user, north, south])
      expect((await of(one, november)).join()).not.toContain('adjustment');
  });

  it('a void part keeps its own late usage until it is reissued, and no other', async () => {
    const part = await partOf(south, october);
    await voidBill(part);
    await use(user, 'later-a', '4', '2024-10-28T00:00:00Z');
    await use(user, 'later-b', '5', '2024-10-28T00:00:00Z', {}, 1);
    await moveTo('2025-01-05T00:00:00Z');
    await close(december);
    expect((await of(user, december)).join()).toContain('adjustment 4');
    // What the void part had adjusted of September is on the next bill; late usage of its own month waits.
    expect((await of(south, december)).at(-1)).toBe(
      'open of C3 to C2: base_fee 30, base_fee 10, adjustment 2, adjustment 3 = 45 + 0',
    );
    const again = await at.console.ok(credits.reissueBill, { billId: part.id }, asAdmin());
    expect(moneyText(again.net)).toBe('45');
    await moveTo('2025-02-05T00:00:00Z');
    await close(january);
    for (const one of [user, north, south])
      expect((await of(one, january)).join()).not.toContain('adjustment');
  });

  it('all bills of all payers together equal the total cost', async () => {
    const { rows } = await sql<{ total: string }>`
      select sum(l.amount_minor)::text as total from bill_line l join bill b on b.id = l.bill_id
      where coalesce(b.used_by_id, b.organization_id) = ${user.organizationId} and b.state <> 'void' and l.kind in ('base_fee', 'usage', 'adjustment')`.execute(
      db(),
    );
    const fees = 5 * (100 + 30 + 10);
    const used = 6 + 7 + 8 + 1 + 2 + 3 + 4 + 5;
    expect(rows[0]?.total).toBe(String(fees + used));
  });
});

describe('T-PAYER: interim bills, consolidated bills and reminders', () => {
  it('an interim bill contains only what the organization pays itself, and its month keeps its payers', async () => {
    await moveTo('2025-02-06T00:00:00Z');
    await at.console.ok(
      billing.setInterimThreshold,
      { organizationId: user.organizationId, currency: 'TWD', amount: twd(1000) },
      asAdmin(),
    );
    await use(user, 'big-b', '5000', '2025-02-05T18:00:00Z', {}, 1);
    const check = () =>
      runFeatureJob(at.console.app, 'billing.interim', { organizationId: user.organizationId });
    await check();
    expect(await of(user, february)).toEqual([]);
    await use(user, 'big-a', '2000', '2025-02-05T18:00:00Z');
    await check();
    expect(await of(user, february)).toEqual(['open of itself to C3: interim 2000 = 2000 + 100']);
    expect((await set(0, north, february)).envelope.code).toBe('payers.month_billed');
    await moveTo('2025-03-05T00:00:00Z');
    await close(february);
    expect((await of(user, february)).at(-1)).toBe(
      'open of itself to C3: base_fee 100, usage 2000, interim_deduction -2000 = 100 + 5',
    );
    expect(
      (await partOf(south, february)).lines.map(({ kind, total }) => `${kind} ${moneyText(total)}`),
    ).toEqual(['base_fee 30', 'usage 5000', 'base_fee 10']);
    // The part is reissued without the interim bill, which the own bill deducted.
    expect(moneyText((await reissue(await partOf(south, february))).net)).toBe('5040');
  });

  it('a consolidated bill has a section of the subscription beside the payer’s own', async () => {
    await at.console.ok(
      payers.setPayerBilling,
      { organizationId: south.organizationId, isConsolidated: true, from: march },
      asAdmin(),
    );
    await moveTo('2025-04-05T00:00:00Z');
    await close(march);
    await consolidateBills(at.console.app);
    const { items } = await at.console.ok(billing.listConsolidatedBills, {}, as(south));
    expect(items.map(({ sections, net }) => [sections, moneyText(net)])).toEqual([[2, '100']]);
  });

  it('reminders go to the payer, and the user’s services are not restricted', async () => {
    for (const one of [user, stranger]) {
      const { items } = await at.console.ok(billing.listBills, { state: 'open' }, as(one));
      for (const { id } of items)
        await at.console.ok(
          credits.issueCredit,
          { billId: id, reason: 'goodwill', what: { kind: 'rest' } },
          asAdmin(),
        );
    }
    const rehearsal = await at.console.ok(dunning.rehearseDunning, {}, asAdmin());
    await at.console.ok(dunning.switchDunning, { isOn: true, rehearsalId: rehearsal.id }, asAdmin());
    await moveTo('2025-05-25T00:00:00Z');
    await runFeatureJob(at.console.app, 'dunning');
    const part = await partOf(north, september);
    const standing = await at.console.ok(dunning.dunningStanding, {}, as(north));
    const reminded = standing.bills.find(({ number }) => number === part.number);
    expect([reminded?.number, reminded?.willSuspendOn]).toEqual([part.number, null]);
    expect(standing.level).toBe('suspended');
    expect(await at.console.ok(dunning.dunningStanding, {}, as(user))).toMatchObject({
      level: null,
      bills: [],
    });
    const { items } = await at.console.ok(subscriptions.listSubscriptions, {}, as(user));
    expect(new Set(items.map(({ state }) => state))).toEqual(new Set(['active']));
  });

  it('an organization that takes over all payments gets one bill with the terms', async () => {
    const may = '2025-05' as BillingMonth;
    await moveTo('2025-05-26T00:00:00Z');
    await close('2025-04' as BillingMonth);
    expect((await setAll(user, south, may)).status).toBe(200);
    await moveTo('2025-06-05T00:00:00Z');
    await close(may);
    expect((await bills(south, may)).filter(({ usedBy }) => usedBy !== undefined).map(shown)).toEqual([
      'open of C3 to C2: base_fee 100, base_fee 30, base_fee 10, minimum_spend 10 = 150 + 0',
    ]);
    expect((await partOf(south, may)).bySubscription).toBe(undefined);
  });
});

describe('T-PAYER: a change while a month is closed', () => {
  it('in either order, the bill goes to the payer that is set, or the change is rejected', async () => {
    const june = '2025-06' as BillingMonth;
    const [payer, used] = [await customer(), await customer(fee('11'), fee('22'))];
    await moveTo('2025-07-05T00:00:00Z');
    const [answer] = await Promise.all([set(1, payer, june, used), close(june), close(june)]);
    const paid = await bills(payer, june);
    const own = await bills(used, june);
    expect([paid.map(({ net }) => moneyText(net)), own.map(({ net }) => moneyText(net))]).toEqual(
      answer.status === 200 ? [['22'], ['11']] : [[], ['33']],
    );
  });
});

describe('T-PAYER: changed sellers and closed organizations', () => {
  const [july, august] = ['2025-07', '2025-08'] as BillingMonth[] as [BillingMonth, BillingMonth];

  it('late usage of a month with another seller is billed to the subscription’s payer of that time', async () => {
    const [payer, used] = [await customer(), await customer(fee('11'), fee('22'))];
    await moveTo('2025-08-05T00:00:00Z');
    expect((await set(1, payer, july, used)).status).toBe(200);
    await close(july);
    await set(1, null, august, used);
    expect((await sell(used, august)).status).toBe(200);
    await use(used, 'own-late', '4', '2025-07-20T00:00:00Z');
    await use(used, 'other-late', '5', '2025-07-20T00:00:00Z', {}, 1);
    const { items } = await at.console.ok(resellers.listUnbilledLate, {}, asAdmin());
    const named = (one: Customer) => `C${one.email.replace(/\D/g, '')}`;
    expect(
      items.map(({ organization, month, payer: by, amounts }) => [organization, month, by, amounts]),
    ).toEqual([[named(used), july, `${named(used)}, ${named(payer)}`, [twd(4), twd(5)]]]);
    await at.console.ok(
      resellers.billUnbilledLate,
      { organizationId: used.organizationId, month: july },
      asAdmin(),
    );
    expect(await of(payer, august)).toEqual([
      `open of ${named(used)} to ${named(payer)}: adjustment 5 = 5 + 0`,
    ]);
    expect((await bills(payer, august)).map(({ bySubscription }) => bySubscription)).toEqual([true]);
    expect(await of(used, august)).toEqual([`open of itself to ${named(used)}: adjustment 4 = 4 + 0`]);
    expect((await at.console.ok(resellers.listUnbilledLate, {}, asAdmin())).items).toEqual([]);
  });

  it('an organization that pays for a subscription cannot be closed', async () => {
    const { closeOrganization } = (await import('#app/console/contract.ts')).consoleContract;
    const lonely = await customer();
    expect((await set(0, lonely, august, stranger)).status).toBe(200);
    const closing = () =>
      at.console.call(
        closeOrganization,
        { organizationId: lonely.organizationId, reason: 'moved away' },
        asAdmin(),
      );
    expect((await closing()).envelope.code).toBe('console.organization_pays');
    await set(0, null, august, stranger);
    expect((await closing()).status).toBe(200);
    expect((await set(0, lonely, august, stranger)).envelope.code).toBe('payers.payer_closed');
  });
});
