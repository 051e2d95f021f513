// States and money under concurrency: whoever acts on one subscription, bill, fee or organization at once, eight times
// each, finds it in one state afterwards, with money that moved once (reliability I1, I3, I5, I7).
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { required } from '#kernel/assert.ts';
import type { Id } from '#kernel/ids.ts';
import { billing, type BillDetail } from '#features/invoicing/billing/contract.ts';
import { credits } from '#features/invoicing/credits/contract.ts';
import { payers } from '#features/invoicing/payers/contract.ts';
import { resellers } from '#features/invoicing/resellers/contract.ts';
import { lateFees } from '#features/receivables/late-fees/contract.ts';
import { chargeLateFees } from '#features/receivables/late-fees/server/index.ts';
import { payments } from '#features/receivables/payments/contract.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { consoleContract } from '#app/console/contract.ts';
import {
  at,
  balanceOf,
  billOf,
  close,
  customer,
  db,
  fee,
  moveTo,
  november,
  october,
  september,
  topUp,
  twd,
  type Customer,
} from '../support/corrections.ts';
import {
  as,
  asAdmin,
  eight,
  expectOneCourse,
  first,
  historyOf,
  stateOf,
  verifyAfterEach,
} from '../support/eight-states.ts';

const serviceOf = async (subscriptionId: Id<'sub'>, one: Customer) =>
  (await at.console.ok(subscriptions.getSubscription, { subscriptionId }, as(one)())).service.id;

verifyAfterEach();

describe('T-RACES: eight at once: a subscription has one state', () => {
  it('paused and resumed at once, it changes between the two, and each repeat is told', async () => {
    const one = await customer(fee('100'));
    const subscriptionId = first(one);
    expect((await eight(subscriptions.stop, () => ({ subscriptionId }), as(one))).done).toBe(1);
    expect((await eight(subscriptions.start, () => ({ subscriptionId }), as(one))).done).toBe(1);
    const [stopped, started] = await Promise.all([
      eight(subscriptions.stop, () => ({ subscriptionId }), as(one)),
      eight(subscriptions.start, () => ({ subscriptionId }), as(one)),
    ]);
    expect(stopped.done - started.done).toBe((await stateOf(one)) === 'paused' ? 1 : 0);
    await expectOneCourse(one);
  });

  it('renewed and cancelled at once, it has one more term at most, and its terms follow each other', async () => {
    const one = await customer();
    const { id: serviceId } = await at.console.ok(
      catalogue.createService,
      {
        name: 'Yearly',
        type: 'Hosting',
        category: 'Own',
        billingCycle: 'yearly',
        pricing: { model: 'flat', currency: 'TWD', baseFee: '3600' },
        meter: { eventType: 'y', aggregation: 'sum', unit: 'y' },
      },
      asAdmin(),
    );
    const { id: subscriptionId } = await at.console.ok(
      subscriptions.subscribe,
      { serviceId, autoRenew: false },
      as(one)(),
    );
    const termsNow = async () =>
      (
        await sql<{
          start: Date;
          end: Date;
        }>`select starts_at as start, ends_at as "end" from subscription_term where subscription_id = ${subscriptionId} order by 1`.execute(
          db(),
        )
      ).rows;
    await Promise.all([
      eight(subscriptions.renew, () => ({ subscriptionId }), as(one)),
      eight(subscriptions.cancel, () => ({ subscriptionId, when: 'end' as const }), as(one)),
    ]);
    await eight(subscriptions.renew, () => ({ subscriptionId }), as(one));
    const terms = await termsNow();
    expect(terms).toHaveLength(2);
    expect(terms[1]?.start).toEqual(terms[0]?.end);
    await expectOneCourse(one, subscriptionId);
  });

  it.each(['now', 'end'] as const)(
    'changed and cancelled (%s) at once, its plan changes once at most and never after its end',
    async (when) => {
      const [one, dearer] = [await customer(fee('20')), await customer(fee('30'))];
      const [from, to] = [await serviceOf(first(one), one), await serviceOf(first(dearer), dearer)];
      for (const serviceId of [from, to])
        await at.console.ok(
          catalogue.updateService,
          { serviceId, family: `Family ${one.organizationId}` },
          asAdmin(),
        );
      const subscriptionId = first(one);
      const [changed, cancelled] = await Promise.all([
        eight(subscriptions.change, () => ({ subscriptionId, serviceId: to }), as(one)),
        eight(subscriptions.cancel, () => ({ subscriptionId, when }), as(one)),
      ]);
      // Who saw what another has just changed is told to look again.
      const late = 'subscriptions.changed_meanwhile';
      if (cancelled.done === 0) expect(cancelled.codes).toContain(late);
      if (cancelled.done === 0)
        await at.console.ok(subscriptions.cancel, { subscriptionId, when }, as(one)());
      const actions = (await historyOf(one)).map(({ action }) => action);
      expect(actions.filter((action) => action === 'change')).toHaveLength(changed.done);
      expect(changed.done).toBeLessThanOrEqual(1);
      expect(actions.filter((action) => action.startsWith('cancel'))).toHaveLength(1);
      expect(await stateOf(one)).toBe(when === 'now' ? 'canceled' : 'cancelling');
      if (when === 'now') expect(actions.at(-1)).toBe('cancel_now');
      await expectOneCourse(one);
    },
  );
});

describe('T-RACES: eight at once: bills and fees', () => {
  it('a bill is paid or void, and its money is with the seller or back on the balance', async () => {
    const [voided, credited] = [await customer(fee('100')), await customer(fee('100'))];
    await moveTo('2024-10-05T04:00:00Z');
    await at.console.ok(
      lateFees.saveLateFees,
      {
        terms: {
          graceDays: 2,
          taxedAs: 'standard',
          currencies: [{ currency: 'TWD', percent: '50', fixed: null, minimum: twd(0), cap: null }],
        },
      },
      asAdmin(),
    );
    await close(september);
    for (const one of [voided, credited]) await topUp(one, twd(500));
    const [wrong, dear] = [await billOf(voided), await billOf(credited)];
    const payAll = (one: Customer, bill: BillDetail) =>
      eight(payments.payBill, () => ({ billId: bill.id, method: 'balance' as const }), as(one));
    const [paid, gone] = await Promise.all([
      payAll(voided, wrong),
      eight(credits.voidBill, () => ({ billId: wrong.id, reason: 'wrong' }), asAdmin),
    ]);
    expect(paid.done).toBeLessThanOrEqual(1);
    const { state } = await at.console.ok(billing.getBill, { billId: wrong.id }, as(voided)());
    expect(state).toBe(gone.done === 1 ? 'void' : 'paid');
    expect(await balanceOf(voided)).toBe(gone.done === 1 ? 500n : 395n);
    const [, notes] = await Promise.all([
      payAll(credited, dear),
      eight(
        credits.issueCredit,
        () => ({ billId: dear.id, reason: 'fault', what: { kind: 'amount' as const, net: twd(60) } }),
        asAdmin,
      ),
    ]);
    expect(notes.done).toBe(1);
    await payAll(credited, dear);
    // Paid 105, of which 63 were credited, whichever came first.
    expect(await balanceOf(credited)).toBe(500n - 105n + 63n);
  });

  it('a late fee is waived once, while it is billed and while its bill is paid', async () => {
    const [early, late] = [await customer(fee('10000')), await customer(fee('10000'))];
    await moveTo('2024-11-05T04:00:00Z');
    await close(october);
    const bill = { early: await billOf(early, october), late: await billOf(late, october) };
    await moveTo('2025-01-01T04:00:00Z');
    await chargeLateFees(at.console.app);
    const feeOf = async (one: BillDetail) => {
      const { fees } = await at.console.ok(lateFees.adminBillLateFees, { billId: one.id }, asAdmin());
      expect(fees).toHaveLength(1);
      return required(fees[0], 'a late fee');
    };
    const [earlyFee, lateFee] = [await feeOf(bill.early), await feeOf(bill.late)];
    const [december, january] = ['2024-12', '2025-01'] as (typeof november)[] as [
      typeof november,
      typeof november,
    ];
    await moveTo('2025-02-05T04:00:00Z');
    for (const month of [november, december]) await close(month);
    const waive = (lateFeeId: Id<'lfe'>) =>
      eight(lateFees.waiveLateFee, () => ({ lateFeeId, reason: 'goodwill' }), asAdmin);
    await Promise.all([waive(earlyFee.id), eight(billing.closeMonth, () => ({ month: january }), asAdmin)]);
    expect(['waived', 'credited']).toContain((await feeOf(bill.early)).state);
    const withFee = await billOf(late, january);
    expect((await feeOf(bill.late)).onBill?.id).toBe(withFee.id);
    await topUp(late, twd(50_000));
    await Promise.all([
      waive(lateFee.id),
      eight(payments.payBill, () => ({ billId: withFee.id, method: 'balance' as const }), as(late)),
    ]);
    expect((await feeOf(bill.late)).state).toBe('credited');
    const { rows } = await sql<{
      net: bigint;
    }>`select net_minor as net from credit_note where bill_id = ${withFee.id}`.execute(db());
    expect(rows.map(({ net }) => net)).toEqual([lateFee.amount.minor]);
  });
});

describe('T-RACES: eight at once: who sells and who pays', () => {
  it('a month is billed once, to whoever pays for it, while its payer is changed', async () => {
    const [user, north] = [await customer(fee('70')), await customer(fee('50'))];
    const month = '2025-02' as typeof november;
    await moveTo('2025-03-05T04:00:00Z');
    await Promise.all([
      eight(
        payers.setPayer,
        (index) => ({
          organizationId: user.organizationId,
          payerId: index % 2 === 0 ? north.organizationId : null,
          from: month,
        }),
        asAdmin,
      ),
      eight(billing.closeMonth, () => ({ month }), asAdmin),
    ]);
    const { rows } = await sql<{
      amount: bigint;
    }>`select l.amount_minor as amount from bill_line l join bill b on b.id = l.bill_id where l.subscription_id = ${first(user)} and b.month = ${month} and b.state <> 'void'`.execute(
      db(),
    );
    expect(rows.map(({ amount }) => amount)).toEqual([70n]);
  });

  it('a reseller credits a bill once, and what it does to a customer’s service ends with the customer’s suspension', async () => {
    const [shop, buyer] = [await customer(fee('50')), await customer(fee('100'))];
    const [april, may] = ['2025-04', '2025-05'] as (typeof november)[] as [typeof november, typeof november];
    await moveTo('2025-03-10T04:00:00Z');
    await at.console.ok(
      resellers.makeReseller,
      {
        organizationId: shop.organizationId,
        name: 'Shop',
        numberPrefix: 'SHOP',
        taxRate: '5',
        dueDays: 14,
        instructions: 'By transfer.',
      },
      asAdmin(),
    );
    await at.console.ok(
      resellers.setReseller,
      { organizationId: buyer.organizationId, resellerId: shop.organizationId, from: april },
      asAdmin(),
    );
    await moveTo('2025-05-05T04:00:00Z');
    await close('2025-03' as typeof november);
    await close(april);
    const { items } = await at.console.ok(resellers.resellerBills, { month: april }, as(shop)());
    const { id: retailBillId } = required(items[0], 'a retail bill');
    const [credited] = await Promise.all([
      eight(resellers.creditBill, () => ({ retailBillId, amount: null, reason: 'It was down.' }), as(shop)),
      eight(
        resellers.notePayment,
        (index) => ({
          retailBillId,
          paidOn: index % 2 === 0 ? ('2025-05-05' as never) : null,
          note: '',
        }),
        as(shop),
      ),
    ]);
    expect(credited.done).toBe(1);
    const act = { organizationId: buyer.organizationId, subscriptionId: first(buyer), reason: 'asked' };
    await Promise.all([
      eight(resellers.pauseService, () => act, as(shop)),
      eight(resellers.resumeService, () => act, as(shop)),
      eight(subscriptions.start, () => ({ subscriptionId: first(buyer) }), as(buyer)),
      eight(
        consoleContract.suspendOrganization,
        () => ({ organizationId: buyer.organizationId, reason: 'fraud' }),
        asAdmin,
      ),
    ]);
    expect(await stateOf(buyer)).toBe('suspended');
    for (const route of [resellers.pauseService, resellers.resumeService])
      expect((await eight(route, () => act, as(shop))).done).toBe(0);
    await expectOneCourse(buyer);
    await at.console.ok(
      consoleContract.resumeOrganization,
      { organizationId: buyer.organizationId },
      asAdmin(),
    );
    await expectOneCourse(buyer);
    // While it is taken from the reseller, its services are the reseller's to pause or no longer.
    await Promise.all([
      eight(resellers.pauseService, () => act, as(shop)),
      eight(
        resellers.setReseller,
        () => ({ organizationId: buyer.organizationId, resellerId: null, from: may }),
        asAdmin,
      ),
    ]);
    expect(await eight(resellers.pauseService, () => act, as(shop))).toEqual({
      done: 0,
      codes: ['resellers.customer_not_found'],
    });
    await expectOneCourse(buyer);
  });
});
