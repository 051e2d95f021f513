// One bill and one reseller under concurrency: corrections, payments and refunds of a bill by eight at once leave every
// dollar in one place, and resellers bill each month once (reliability I1, I5, I7).
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { required } from '#kernel/assert.ts';
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth, LocalDay } from '#kernel/shape.ts';
import { billing } from '#features/invoicing/billing/contract.ts';
import { credits } from '#features/invoicing/credits/contract.ts';
import { resellers } from '#features/invoicing/resellers/contract.ts';
import { plans } from '#features/receivables/payment-plans/contract.ts';
import { payments } from '#features/receivables/payments/contract.ts';
import {
  at,
  balanceOf,
  billOf,
  bills,
  close,
  customer,
  fee,
  moveTo,
  topUp,
  twd,
  use,
  type Customer,
} from '../support/corrections.ts';
import { as, asAdmin, eight, first, rowsOf, verifyAfterEach } from '../support/eight-states.ts';

verifyAfterEach();

const monthOf = (text: string) => text as BillingMonth;
/** What the seller keeps of a customer's payments: what valid bills were paid, less what came back to the balance. */
async function keptFrom({ organizationId }: Customer): Promise<bigint> {
  const [found] = await rowsOf(
    sql<{
      kept: bigint;
    }>`select coalesce(sum(paid_minor - returned_minor), 0)::bigint as kept from bill where organization_id = ${organizationId} and state <> 'void'`,
  );
  return required(found, 'a sum').kept;
}

describe('T-RACES: eight at once: one bill', () => {
  it('is credited, voided, reissued, paid and refunded, and its customer has every dollar once', async () => {
    const one = await customer(fee('100'));
    await moveTo('2025-03-05T04:00:00Z');
    await close(monthOf('2025-02'));
    const paymentId = (await at.console.ok(payments.topUp, { amount: twd(500) }, as(one)())).id;
    await at.console.ok(payments.confirmPayment, { paymentId }, asAdmin());
    const bill = await billOf(one, monthOf('2025-02'));
    await Promise.all([
      eight(payments.payBill, () => ({ billId: bill.id, method: 'balance' as const }), as(one)),
      eight(
        credits.issueCredit,
        () => ({ billId: bill.id, reason: 'fault', what: { kind: 'rest' as const } }),
        asAdmin,
      ),
      eight(credits.voidBill, () => ({ billId: bill.id, reason: 'wrong' }), asAdmin),
      eight(credits.reissueBill, () => ({ billId: bill.id, reason: 'wrong' }), asAdmin),
      eight(payments.refundPayment, () => ({ paymentId, amount: twd(100), reason: 'asked' }), asAdmin),
    ]);
    // Each refund either happened or not, whoever says what.
    const open = await rowsOf(
      sql<{
        id: Id<'rfd'>;
      }>`select id from payment_refund where payment_id = ${paymentId} and state = 'pending'`,
    );
    for (const { id: refundId } of open)
      await Promise.all([
        eight(payments.settleRefund, () => ({ paymentId, refundId, happened: true }), asAdmin),
        eight(payments.settleRefund, () => ({ paymentId, refundId, happened: false }), asAdmin),
      ]);
    const [sent] = await rowsOf(
      sql<{
        sent: bigint;
      }>`select coalesce(sum(amount_minor), 0)::bigint as sent from payment_refund where payment_id = ${paymentId} and state = 'succeeded'`,
    );
    expect((await balanceOf(one)) + (sent?.sent ?? 0n) + (await keptFrom(one))).toBe(500n);
    const valid = (await bills(one, monthOf('2025-02'))).filter(({ state }) => state !== 'void');
    expect(valid.length).toBeLessThanOrEqual(1);
  });

  it('has its withheld tax recorded, taken back and paid otherwise, no further than it is due', async () => {
    const one = await customer(fee('1000'));
    await moveTo('2025-04-05T04:00:00Z');
    await close(monthOf('2025-03'));
    await topUp(one, twd(5000));
    const bill = await billOf(one, monthOf('2025-03'));
    await Promise.all([
      eight(
        payments.recordWithholding,
        () => ({ billId: bill.id, amount: twd(400), withheldOn: '2025-04-01' as LocalDay }),
        asAdmin,
      ),
      eight(payments.payBill, () => ({ billId: bill.id, method: 'balance' as const }), as(one)),
    ]);
    const withheld = await rowsOf(
      sql<{
        id: Id<'pay'>;
      }>`select id from payment where organization_id = ${one.organizationId} and method = 'withholding'`,
    );
    for (const { id: paymentId } of withheld)
      await Promise.all([
        eight(payments.takeBackWithholding, () => ({ paymentId, reason: 'wrong' }), asAdmin),
        eight(payments.payBill, () => ({ billId: bill.id, method: 'balance' as const }), as(one)),
      ]);
    await eight(payments.payBill, () => ({ billId: bill.id, method: 'balance' as const }), as(one));
    expect(await billOf(one, monthOf('2025-03'))).toMatchObject({ state: 'paid', due: { minor: 0n } });
    expect(await balanceOf(one)).toBe(5000n - bill.total.minor);
  });

  it('has one payment plan or none, while the plan is replaced and cancelled and the bill is paid and credited', async () => {
    const one = await customer(fee('900'));
    await moveTo('2025-05-05T04:00:00Z');
    await close(monthOf('2025-04'));
    await topUp(one, twd(5000));
    const bill = await billOf(one, monthOf('2025-04'));
    const terms = (amount: bigint) => ({
      instalments: [
        { on: '2025-05-20' as LocalDay, amount: twd(amount / 2n) },
        { on: '2025-06-20' as LocalDay, amount: twd(amount - amount / 2n) },
      ],
      graceDays: 3,
      note: '',
    });
    const { id: planId } = await at.console.ok(
      plans.agreePlan,
      { billIds: [bill.id], ...terms(bill.due.minor) },
      asAdmin(),
    );
    await Promise.all([
      eight(plans.changePlan, () => ({ planId, ...terms(bill.due.minor) }), asAdmin),
      eight(plans.cancelPlan, () => ({ planId, reason: 'paid' }), asAdmin),
      eight(
        payments.payBill,
        () => ({ billId: bill.id, method: 'balance' as const, amount: twd(200) }),
        as(one),
      ),
      eight(
        credits.issueCredit,
        () => ({ billId: bill.id, reason: 'fault', what: { kind: 'amount' as const, net: twd(100) } }),
        asAdmin,
      ),
    ]);
    const [standing] = await rowsOf(
      sql<{
        count: number;
      }>`select count(*)::int as count from payment_plan p where p.ended_at is null and exists (select from payment_plan_bill b where b.plan_id = p.id and b.bill_id = ${bill.id})`,
    );
    expect(standing?.count).toBeLessThanOrEqual(1);
    await eight(payments.payBill, () => ({ billId: bill.id, method: 'balance' as const }), as(one));
    expect((await billOf(one, monthOf('2025-04'))).state).toBe('paid');
    expect((await balanceOf(one)) + (await keptFrom(one))).toBe(5000n);
  });
});

describe('T-RACES: eight at once: resellers', () => {
  const makeReseller = (one: Customer, numberPrefix: string) =>
    at.console.ok(
      resellers.makeReseller,
      {
        organizationId: one.organizationId,
        name: `Shop ${numberPrefix}`,
        numberPrefix,
        taxRate: '5',
        dueDays: 14,
        instructions: '',
      },
      asAdmin(),
    );

  it('an organization is sold to by one of two, and each month is billed once at each price', async () => {
    const [north, south, buyer] = [
      await customer(fee('50')),
      await customer(fee('50')),
      await customer(fee('1000')),
    ];
    await makeReseller(north, 'NORTH');
    await makeReseller(south, 'SOUTH');
    const [june, july] = [monthOf('2025-06'), monthOf('2025-07')];
    await moveTo('2025-05-20T04:00:00Z');
    await Promise.all([
      eight(
        resellers.setReseller,
        (index) => ({
          organizationId: buyer.organizationId,
          resellerId: [north, south][index % 2]!.organizationId,
          from: june,
        }),
        asAdmin,
      ),
      eight(
        resellers.saveMarkUps,
        (index) => ({ from: june, markUps: { percent: String(10 + index), services: [] } }),
        as(north),
      ),
      eight(
        resellers.saveMarkUps,
        (index) => ({ from: june, markUps: { percent: String(10 + index), services: [] } }),
        as(south),
      ),
    ]);
    await moveTo('2025-06-10T04:00:00Z');
    await close(monthOf('2025-05'));
    await use(buyer, 'sold', '7', '2025-06-05T00:00:00Z');
    await moveTo('2025-07-05T04:00:00Z');
    await Promise.all([
      eight(billing.closeMonth, () => ({ month: june }), asAdmin),
      eight(
        resellers.saveMarkUps,
        (index) => ({ from: monthOf('2025-08'), markUps: { percent: String(20 + index), services: [] } }),
        as(north),
      ),
      eight(
        resellers.setReseller,
        () => ({ organizationId: buyer.organizationId, resellerId: null, from: july }),
        asAdmin,
      ),
    ]);
    await close(june);
    const retail = [];
    for (const shop of [north, south])
      for (const each of (await at.console.ok(resellers.resellerBills, { month: june }, as(shop)())).items)
        retail.push({ shop, each });
    expect(retail).toHaveLength(1);
    const [{ shop, each }] = retail as [(typeof retail)[number]];
    // 1,007 with a mark-up of 10 to 17 percent, whichever came last, at twelve digits a price.
    expect(each.net.minor).toBeGreaterThanOrEqual(1108n);
    expect(each.net.minor).toBeLessThanOrEqual(1178n);
    const wholesale = await at.console.ok(resellers.wholesale, { month: june }, as(shop)());
    expect(wholesale.isProven).toBe(true);
    const [billed] = await rowsOf(
      sql<{
        lines: number;
        payers: number;
      }>`select count(*)::int as lines, count(distinct b.organization_id)::int as payers from bill_line l join bill b on b.id = l.bill_id where l.subscription_id = ${first(buyer)} and b.month = ${june} and b.state <> 'void' and l.kind = 'base_fee'`,
    );
    expect(billed).toEqual({ lines: 1, payers: 1 });
  });

  it('a customer that eight add is added once, and none is added once a reseller is stopped', async () => {
    const shop = await customer(fee('50'));
    await makeReseller(shop, 'EAST');
    const added = await eight(
      resellers.addCustomer,
      () => ({ name: 'One', email: 'owner@once.example' }),
      as(shop),
    );
    const customersOf = async () =>
      (await at.console.ok(resellers.listCustomers, { limit: 100 }, as(shop)())).items;
    expect(await customersOf()).toHaveLength(added.done);
    const [more] = await Promise.all([
      eight(
        resellers.addCustomer,
        (index) => ({ name: `Late ${index}`, email: `owner@late${index}.example` }),
        as(shop),
      ),
      eight(resellers.stopReseller, () => ({ resellerId: shop.organizationId }), asAdmin),
    ]);
    expect(await customersOf()).toHaveLength(added.done + more.done);
    const after = await eight(
      resellers.addCustomer,
      (index) => ({ name: `After ${index}`, email: `owner@after${index}.example` }),
      as(shop),
    );
    expect(after.done).toBe(0);
    expect(await customersOf()).toHaveLength(added.done + more.done);
    // Customers that have never used anything are not billed by anybody.
    await moveTo('2025-08-05T04:00:00Z');
    await close(monthOf('2025-07'));
    expect(await bills(shop, monthOf('2025-07'))).toHaveLength(1);
  });
});
