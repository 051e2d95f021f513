// What is offered to customers under concurrency: quotes, promo codes, one-off charges, commitments and add-ons, eight
// times at once, take effect once, and verify finds nothing in the bills (reliability I1, I3).
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { required } from '#kernel/assert.ts';
import type { Id } from '#kernel/ids.ts';
import { dayOf } from '#kernel/time.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { identity } from '#features/access/identity/contract.ts';
import { billing } from '#features/invoicing/billing/contract.ts';
import { commitments } from '#features/invoicing/commitments/contract.ts';
import { discounts } from '#features/invoicing/discounts/contract.ts';
import { oneOffs } from '#features/invoicing/one-offs/contract.ts';
import { payers } from '#features/invoicing/payers/contract.ts';
import { quotes } from '#features/invoicing/quotes/contract.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { signIn, userPassword } from '../support/console.ts';
import {
  at,
  billOf,
  bills,
  close,
  customer,
  fee,
  moveTo,
  twd,
  type Customer,
} from '../support/corrections.ts';
import { as, asAdmin, eight, first, rowsOf, verifyAfterEach } from '../support/eight-states.ts';

verifyAfterEach();

const named = (name: string) => ({ zhTW: name, enUS: name });
const month = (text: string) => text as BillingMonth;
const countOf = async (table: string, one: Customer): Promise<number> =>
  Number(
    (
      await rowsOf(
        sql<{
          n: string;
        }>`select count(*) as n from ${sql.table(table)} where organization_id = ${one.organizationId}`,
      )
    )[0]?.n,
  );
let services = 0;
const service = async (more: object = {}): Promise<Id<'svc'>> =>
  (
    await at.console.ok(
      catalogue.createService,
      {
        name: `Offered ${++services}`,
        type: 'API',
        category: 'Own',
        pricing: fee('100'),
        meter: { eventType: 'call', aggregation: 'sum', unit: 'calls' },
        ...more,
      },
      asAdmin(),
    )
  ).id;

const addOn = async (family: string): Promise<Id<'svc'>> =>
  (
    await at.console.ok(
      catalogue.createService,
      {
        name: `Extra ${++services}`,
        type: 'API',
        category: 'Own',
        currency: 'TWD',
        charges: [{ key: 'fee', name: named('Fee'), kind: 'recurring', model: 'flat', amount: '30' }],
        addOnTo: [family],
      },
      asAdmin(),
    )
  ).id;

describe('T-RACES: eight at once: offers', () => {
  it('a quote is accepted, declined or withdrawn, and everything in it is made once or not at all', async () => {
    for (let round = 0; round < 3; round++) {
      const one = await customer(fee('100'));
      const { id: quoteId } = await at.console.ok(
        quotes.createQuote,
        {
          organizationId: one.organizationId,
          currency: 'TWD',
          validUntil: dayOf(new Date(at.console.clock.now().getTime() + 20 * 86_400_000), 'Asia/Taipei'),
          content: {
            months: 12,
            items: [{ serviceId: await service(), quantity: '2' }],
            oneOffs: [{ name: named('Setup'), unitPrice: '10' }],
            discounts: [{ name: named('Tenth'), percent: '10', months: null }],
            grants: [{ name: named('Gift'), amount: twd(50), months: 1 }],
            minimumSpend: { amount: twd(150), months: 12 },
          },
        },
        asAdmin(),
      );
      const { link } = await at.console.ok(quotes.sendQuote, { quoteId }, asAdmin());
      const token = required(link?.split('/').at(-1), 'the link of the quote');
      const accept = () =>
        eight(quotes.acceptQuote, () => ({ token, name: '王小明', mayAct: true }), asAdmin);
      const [accepted, declined, withdrawn] = await Promise.all(
        round === 0
          ? [accept(), accept(), eight(quotes.withdrawQuote, () => ({ quoteId }), asAdmin)]
          : [
              accept(),
              eight(quotes.declineQuote, () => ({ token, name: '王小明', reason: '' }), asAdmin),
              eight(quotes.withdrawQuote, () => ({ quoteId }), asAdmin),
            ],
      );
      const { state, made } = await at.console.ok(quotes.getQuote, { quoteId }, asAdmin());
      const isAccepted = state === 'accepted';
      expect([state, accepted.done > 0, declined.done > 0 || round === 0, withdrawn.done]).toEqual([
        state,
        isAccepted,
        round === 0 || state === 'declined',
        state === 'withdrawn' ? 1 : 0,
      ]);
      expect(made).toHaveLength(isAccepted ? 5 : 0);
      for (const table of ['one_off_charge', 'discount_redemption', 'credit_grant', 'minimum_spend'])
        expect([table, await countOf(table, one)]).toEqual([table, isAccepted ? 1 : 0]);
      expect(await countOf('subscription', one)).toBe(isAccepted ? 2 : 1);
    }
  });

  it('a promo code is redeemed no more often than its limits, while Admins give the discount, too', async () => {
    const crowd: Customer[] = [];
    for (let count = 0; count < 6; count++) crowd.push(await customer(fee('100')));
    const made = await at.console.ok(
      discounts.createDiscount,
      {
        name: named('Half'),
        reduction: { kind: 'percent', percent: '50' },
        duration: { kind: 'once' },
        code: 'EIGHT',
        maxRedemptions: 4,
        maxPerOrganization: 1,
      },
      asAdmin(),
    );
    const answers = await Promise.all([
      ...crowd.map((one) => eight(discounts.redeemCode, () => ({ code: 'eight' }), as(one))),
      ...crowd.map((one) =>
        eight(
          discounts.giveDiscount,
          () => ({ discountId: made.id, organizationId: one.organizationId }),
          asAdmin,
        ),
      ),
    ]);
    expect(answers.reduce((sum, { done }) => sum + done, 0)).toBe(4);
    const held = await Promise.all(crowd.map((one) => countOf('discount_redemption', one)));
    expect([Math.max(...held), held.reduce((sum, count) => sum + count, 0)]).toEqual([1, 4]);
    expect((await at.console.ok(discounts.getDiscount, { discountId: made.id }, asAdmin())).redemptions).toBe(
      4,
    );
  });

  it('a one-off charge is approved, rejected or withdrawn, and billed once only if approved', async () => {
    const account = 'second@cloud.example';
    await at.console.ok(
      identity.createUser,
      { account, name: 'Second', role: 'Admin', password: userPassword },
      asAdmin(),
    );
    const second = await signIn(at.console, account);
    await at.console.ok(oneOffs.saveOneOffSettings, { approvalAbove: twd(100) }, asAdmin());
    const billed = await Promise.all(
      Array.from({ length: 3 }, async () => {
        const one = await customer(fee('100'));
        const { id: oneOffId } = await at.console.ok(
          oneOffs.createOneOff,
          {
            organizationId: one.organizationId,
            name: named('Setup'),
            kind: 'charge',
            unitPrice: '700',
            currency: 'TWD',
          },
          asAdmin(),
        );
        const [approved, rejected, withdrawn] = await Promise.all([
          eight(
            oneOffs.approveOneOff,
            () => ({ oneOffId }),
            () => ({ token: second }),
          ),
          eight(
            oneOffs.rejectOneOff,
            () => ({ oneOffId, reason: 'no' }),
            () => ({ token: second }),
          ),
          eight(oneOffs.withdrawOneOff, () => ({ oneOffId }), asAdmin),
        ]);
        const { state } = await at.console.ok(oneOffs.getOneOff, { oneOffId }, asAdmin());
        // What was approved may still be withdrawn.
        expect(rejected.done + (withdrawn.done > 0 && approved.done === 0 ? 1 : 0)).toBeLessThanOrEqual(1);
        expect([approved.done, withdrawn.done].every((done) => done <= 1)).toBe(true);
        return { one, isBilled: state === 'approved' };
      }),
    );
    await moveTo('2024-10-05T12:00:00+08:00');
    await close(month('2024-09'));
    for (const { one, isBilled } of billed) {
      const charged = (await billOf(one)).lines.filter(({ total }) => total.minor === 700n);
      expect(charged).toHaveLength(isBilled ? 1 : 0);
    }
  });

  it('a commitment ends early once, while its months are closed, and its true-up is charged once', async () => {
    const one = await customer(fee('100'));
    const { id: commitmentId } = await at.console.ok(
      commitments.makeCommitment,
      {
        organizationId: one.organizationId,
        name: named('Committed'),
        startsOn: month('2024-10'),
        months: 12,
        period: 'month',
        amounts: [twd(1000)],
      },
      asAdmin(),
    );
    await moveTo('2024-11-05T12:00:00+08:00');
    const [ended, , renamed] = await Promise.all([
      eight(
        commitments.endCommitment,
        (index) => ({
          commitmentId,
          lastMonth: month(index % 2 ? '2024-10' : '2024-11'),
          settlement: index % 2 ? ('period' as const) : ('none' as const),
          reason: 'moving',
        }),
        asAdmin,
      ),
      eight(billing.closeMonth, () => ({ month: month('2024-10') }), asAdmin),
      eight(commitments.updateCommitment, (index) => ({ commitmentId, note: `n${index}` }), asAdmin),
    ]);
    expect([ended.done, renamed.done > 0]).toEqual([1, true]);
    await moveTo('2024-12-05T12:00:00+08:00');
    await close(month('2024-11'));
    const detail = await at.console.ok(commitments.adminGetCommitment, { commitmentId }, asAdmin());
    // Each period that was settled charged exactly what was missing.
    for (const { target, drawn, trueUp } of detail.periods)
      expect(trueUp.minor).toBe(target.minor > drawn.minor ? target.minor - drawn.minor : 0n);
    expect(await bills(one, month('2024-10'))).toHaveLength(1);
  });

  it('an add-on is added once, while its subscription is paused, resumed and cancelled', async () => {
    const family = 'with-add-ons';
    const [parent, extra] = [await service({ family }), await addOn(family)];
    const one = await customer();
    const { id: subscriptionId } = await at.console.ok(
      subscriptions.subscribe,
      { serviceId: parent },
      as(one)(),
    );
    const [added] = await Promise.all([
      eight(subscriptions.addAddOn, () => ({ subscriptionId, serviceId: extra }), as(one)),
      eight(subscriptions.adminAddAddOn, () => ({ subscriptionId, serviceId: extra }), asAdmin),
      eight(subscriptions.stop, () => ({ subscriptionId }), as(one)),
      eight(subscriptions.start, () => ({ subscriptionId }), as(one)),
      eight(subscriptions.cancel, () => ({ subscriptionId, when: 'now' as const }), as(one)),
    ]);
    expect(added.done).toBeLessThanOrEqual(1);
    const rows = await rowsOf(
      sql<{
        parent: string | null;
        state: string;
      }>`select parent_id as parent, state from subscription where organization_id = ${one.organizationId}`,
    );
    expect(rows.filter(({ parent: of }) => of !== null).length).toBeLessThanOrEqual(1);
    const [main] = rows.filter(({ parent: of }) => of === null);
    if (main?.state === 'canceled') expect(rows.filter(({ state }) => state !== 'canceled')).toEqual([]);
  });

  it('a subscription is billed once, to one of three, while who pays for it changes during the close', async () => {
    const [user, north, south] = [
      await customer(fee('4000')),
      await customer(fee('10')),
      await customer(fee('20')),
    ];
    await moveTo('2025-01-05T12:00:00+08:00');
    await Promise.all([
      eight(billing.closeMonth, () => ({ month: month('2024-12') }), asAdmin),
      eight(
        payers.setSubscriptionPayer,
        (index) => ({
          subscriptionId: first(user),
          payerId: [north, south][index % 2]?.organizationId ?? null,
          from: month('2024-12'),
        }),
        asAdmin,
      ),
    ]);
    const all = await Promise.all([user, north, south].map((each) => bills(each, month('2024-12'))));
    expect(
      all.flat().flatMap(({ lines }) => lines.filter(({ total }) => total.minor === 4000n)),
    ).toHaveLength(1);
  });
});
