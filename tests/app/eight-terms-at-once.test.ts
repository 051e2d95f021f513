// Subscriptions and prices under concurrency: whoever renews, pauses, resumes or changes one subscription at once, eight
// times each, leaves it with one course, and with a bill that is what its month was shown to cost (reliability I1, I3).
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { required } from '#kernel/assert.ts';
import type { Id } from '#kernel/ids.ts';
import { sumMoney } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { billing } from '#features/invoicing/billing/contract.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { at, bills, close, customer, fee, moveTo, type Customer } from '../support/corrections.ts';
import {
  as,
  asAdmin,
  eight,
  expectOneCourse,
  first,
  historyOf,
  rowsOf,
  stateOf,
  verifyAfterEach,
} from '../support/eight-states.ts';

verifyAfterEach();

const monthOf = (text: string) => text as BillingMonth;
const termsOf = (subscriptionId: Id<'sub'>) =>
  rowsOf(
    sql<{
      start: Date;
      end: Date;
    }>`select starts_at as start, ends_at as "end" from subscription_term where subscription_id = ${subscriptionId} order by 1`,
  );
/** A monthly service; plans of one family can be changed to each other. */
const service = async (baseFee: string, family = ''): Promise<Id<'svc'>> =>
  (
    await at.console.ok(
      catalogue.createService,
      {
        name: `Plan ${family} ${baseFee}`,
        type: 'API',
        category: 'Own',
        family,
        pricing: fee(baseFee),
        meter: { eventType: 'call', aggregation: 'sum', unit: 'calls' },
      },
      asAdmin(),
    )
  ).id;
const subscribe = async (one: Customer, serviceId: Id<'svc'>, more: object = {}) =>
  (await at.console.ok(subscriptions.subscribe, { serviceId, ...more }, as(one)())).id;
/** What the running month of a customer costs, without tax. */
async function runningNet(one: Customer): Promise<bigint> {
  const { bills: running } = await at.console.ok(billing.currentBill, {}, as(one)());
  return running.reduce((sum, bill) => sum + bill.net.minor, 0n);
}
/**
 * Moves behind the end of a month and closes it; its bill is what it would have been just before its end. A
 * month that costs nothing, such as one that is paused throughout, has none.
 */
async function expectBilledAsShown(one: Customer, month: BillingMonth, after: string): Promise<void> {
  await moveTo(new Date(Date.parse(`${after}T00:00:00+08:00`) - 1000).toISOString());
  const shown = await runningNet(one);
  await moveTo(`${after}T04:00:00Z`);
  await close(month);
  const bill = (await bills(one, month)).find(({ state }) => state !== 'void');
  expect(bill?.net.minor ?? 0n).toBe(shown);
  expect(
    sumMoney(
      (bill?.lines ?? []).map((line) => line.total),
      'TWD',
    ).minor,
  ).toBe(shown);
}

describe('T-RACES: eight at once: terms, plans and prices', () => {
  it('an expired subscription begins one new term, which is billed once, while it is paused, changed and cancelled', async () => {
    const one = await customer();
    const subscriptionId = await subscribe(one, await service('300'), { autoRenew: false });
    await moveTo('2024-10-10T04:00:00Z');
    await close(monthOf('2024-09'));
    expect(await stateOf(one, subscriptionId)).toBe('expired');
    const [renewed] = await Promise.all([
      eight(subscriptions.renew, () => ({ subscriptionId }), as(one)),
      eight(subscriptions.stop, () => ({ subscriptionId }), as(one)),
      eight(
        subscriptions.change,
        (index) => ({ subscriptionId, quantity: String(2 + (index % 3)) }),
        as(one),
      ),
      eight(subscriptions.cancel, () => ({ subscriptionId, when: 'end' as const }), as(one)),
    ]);
    expect(renewed.done).toBeGreaterThan(0);
    await expectOneCourse(one, subscriptionId);
    const history = await historyOf(one, subscriptionId);
    // Renewed from its end once; and once more, for one more term, if it was to end with the first.
    expect(history.filter(({ from }) => from === 'expired')).toHaveLength(1);
    const terms = await termsOf(subscriptionId);
    expect(terms.length).toBeLessThanOrEqual(3);
    for (const [index, term] of terms.entries())
      if (index > 0)
        expect(term.start.getTime()).toBeGreaterThanOrEqual(terms[index - 1]?.end.getTime() ?? 0);
    await expectBilledAsShown(one, monthOf('2024-10'), '2024-11-01');
  });

  it('the next term is bought once, however it is asked for', async () => {
    const one = await customer();
    const subscriptionId = await subscribe(one, await service('310'), { autoRenew: false });
    const { endsAt } = await at.console.ok(subscriptions.getSubscription, { subscriptionId }, as(one)());
    const termEndsAt = required(endsAt ?? undefined, 'the end of the term');
    await Promise.all([
      eight(subscriptions.renew, () => ({ subscriptionId, termEndsAt }), as(one)),
      eight(subscriptions.renew, () => ({ subscriptionId }), as(one)),
      eight(subscriptions.stop, () => ({ subscriptionId }), as(one)),
    ]);
    expect(await termsOf(subscriptionId)).toHaveLength(2);
    await expectOneCourse(one, subscriptionId);
    await Promise.all([
      eight(subscriptions.renew, () => ({ subscriptionId, autoRenew: true }), as(one)),
      eight(subscriptions.start, () => ({ subscriptionId }), as(one)),
    ]);
    // Who was late for what another had just changed was told to look again.
    await at.console.call(subscriptions.renew, { subscriptionId, autoRenew: true }, as(one)());
    await at.console.call(subscriptions.start, { subscriptionId }, as(one)());
    const now = await at.console.ok(subscriptions.getSubscription, { subscriptionId }, as(one)());
    expect([now.autoRenew, now.endsAt, now.state]).toEqual([true, null, 'active']);
    await expectOneCourse(one, subscriptionId);
  });

  it('a pause and a resumption that are planned at once are one pause', async () => {
    const one = await customer(fee('600'));
    const subscriptionId = first(one);
    const later = (days: number) => new Date(at.console.clock.now().getTime() + days * 24 * 3_600_000);
    await Promise.all([
      eight(
        subscriptions.stop,
        (index) => ({ subscriptionId, at: later(1 + index), resumeAt: later(12 + index) }),
        as(one),
      ),
      eight(subscriptions.stop, () => ({ subscriptionId }), as(one)),
      eight(subscriptions.start, (index) => ({ subscriptionId, at: later(20 + index) }), as(one)),
      eight(subscriptions.start, () => ({ subscriptionId }), as(one)),
    ]);
    const pauses = await rowsOf(
      sql<{
        open: number;
      }>`select count(*) filter (where not is_over)::int as open from subscription_pause where subscription_id = ${subscriptionId}`,
    );
    expect(pauses[0]?.open).toBeLessThanOrEqual(1);
    await expectOneCourse(one);
    await expectBilledAsShown(one, monthOf('2024-11'), '2024-12-01');
  });

  it('plans and quantities that are changed, and changes that are taken back, leave one plan, which is billed', async () => {
    const one = await customer();
    const [small, middle, big] = [
      await service('100', 'sizes'),
      await service('200', 'sizes'),
      await service('400', 'sizes'),
    ];
    const subscriptionId = await subscribe(one, small);
    await moveTo('2024-12-10T04:00:00Z');
    const [changed] = await Promise.all([
      eight(
        subscriptions.change,
        (index) => ({ subscriptionId, serviceId: [middle, big][index % 2]!, quantity: String(1 + index) }),
        as(one),
      ),
      eight(
        subscriptions.change,
        () => ({ subscriptionId, serviceId: middle, when: 'end' as const }),
        as(one),
      ),
      eight(subscriptions.takeBackChange, () => ({ subscriptionId }), as(one)),
      eight(subscriptions.stop, () => ({ subscriptionId }), as(one)),
    ]);
    const actions = (await historyOf(one, subscriptionId)).map(({ action }) => action);
    expect(actions.filter((action) => action === 'change')).toHaveLength(changed.done);
    const [pending] = await rowsOf(
      sql<{
        open: number;
      }>`select count(*) filter (where not is_applied)::int as open from subscription_phase where subscription_id = ${subscriptionId}`,
    );
    expect(pending?.open).toBeLessThanOrEqual(1);
    await expectOneCourse(one, subscriptionId);
    await expectBilledAsShown(one, monthOf('2024-12'), '2025-01-01');
  });

  it('a price that eight Admins set while eight subscribe is one price from each moment on', async () => {
    const buyers: Customer[] = [];
    for (let index = 0; index < 4; index++) buyers.push(await customer());
    const serviceId = await service('700');
    await moveTo('2025-01-10T04:00:00Z');
    const priced = eight(
      catalogue.updateService,
      (index) => ({ serviceId, pricing: fee(String(701 + index)) }),
      asAdmin,
    );
    const subscribed = buyers.map((buyer) =>
      eight(subscriptions.subscribe, () => ({ serviceId }), as(buyer)),
    );
    await priced;
    for (const { done } of await Promise.all(subscribed)) expect(done).toBe(1);
    for (const buyer of buyers.slice(1))
      expect(await runningNet(buyer)).toBe(await runningNet(required(buyers[0], 'the first')));
    await expectBilledAsShown(required(buyers[0], 'the first'), monthOf('2025-01'), '2025-02-01');
  });
});
