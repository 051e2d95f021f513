// The planned end of a pause is checked against the credit limit, as resuming by hand is.
import { beforeAll, describe, expect, it } from 'vitest';
import { required } from '#kernel/assert.ts';
import type { Id } from '#kernel/ids.ts';
import type { Money } from '#kernel/money.ts';
import { payers } from '#features/invoicing/payers/contract.ts';
import { notifications } from '#features/messaging/notifications/contract.ts';
import { creditLimits } from '#features/receivables/credit-limits/contract.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { at, customer, moveTo, startBilling, topUp, twd, type Customer } from '../support/corrections.ts';
import { runFeatureJob, unschedule } from '../support/jobs.ts';

const flat = (baseFee: string) => ({ model: 'flat', currency: 'TWD', baseFee }) as const;
const setLimit = (one: Customer, amount: Money | null) =>
  at.console.ok(
    creditLimits.setCreditLimit,
    { organizationId: one.organizationId, currency: 'TWD', amount },
    { token: at.admin },
  );
const usedNow = async (one: Customer): Promise<bigint> => {
  await setLimit(one, twd(10_000_000));
  const { items } = await at.console.ok(creditLimits.creditLimit, {}, { token: one.token });
  return required(items[0], 'a limit in force').used.minor;
};
let services = 0;
async function subscribed(one: Customer): Promise<Id<'sub'>> {
  const { id: serviceId } = await at.console.ok(
    catalogue.createService,
    {
      name: `Paused ${++services}`,
      type: 'API',
      category: 'Own',
      pricing: flat('31000'),
      meter: { eventType: 'call', aggregation: 'sum', unit: 'calls' },
    },
    { token: at.admin },
  );
  return (await at.console.ok(subscriptions.subscribe, { serviceId }, { token: one.token })).id;
}
const pauseUntil = (one: Customer, subscriptionId: Id<'sub'>, resumeAt: string) =>
  at.console.ok(subscriptions.stop, { subscriptionId, resumeAt: new Date(resumeAt) }, { token: one.token });
async function shown(one: Customer, subscriptionId: Id<'sub'>) {
  const { state, pause } = await at.console.ok(
    subscriptions.getSubscription,
    { subscriptionId },
    { token: one.token },
  );
  return [state, pause?.from.toISOString(), pause?.until?.toISOString()];
}
async function resume(one: Customer, subscriptionId: Id<'sub'>): Promise<string> {
  const { status, envelope } = await at.console.call(
    subscriptions.start,
    { subscriptionId },
    { token: one.token },
  );
  return `${status} ${envelope.code ?? ''}`;
}
const applyDue = () => runFeatureJob(at.console.app, 'end-subscriptions');
const told = async (token: string): Promise<string[]> =>
  (await at.console.ok(notifications.listNotifications, { limit: 100 }, { token, language: 'enUS' })).items
    .map(({ message }) => message)
    .filter((message) => message.includes('stays paused'));

let one: Customer;
let payer: Customer;
let paidFor: Customer;

beforeAll(async () => {
  await startBilling();
  for (const name of ['credit-limits.sweep', 'credit-limits.check', 'end-subscriptions'])
    await unschedule(at.console.app, name);
  one = await customer(flat('100'));
  payer = await customer(flat('100'));
  paidFor = await customer(flat('100'));
});

describe('T-CREDITLIMIT: the planned end of a pause', () => {
  it('resumes services as far as the limit allows; the others stay paused, and members and Admins are told why', async () => {
    await moveTo('2024-10-05T12:00:00+08:00');
    const both = [await subscribed(one), await subscribed(one)] as const;
    for (const id of both) await pauseUntil(one, id, '2024-10-08T00:00:00+08:00');
    await moveTo('2024-10-08T00:00:00+08:00');
    // What is outstanding includes both from here on, and the limit lacks a dollar for both.
    await setLimit(one, twd((await usedNow(one)) - 1n));
    await applyDue();
    const after = await Promise.all(both.map(async (id) => ({ id, now: await shown(one, id) })));
    const kept = required(
      after.find(({ now }) => now[0] === 'paused'),
      'the one that stays paused',
    );
    expect(kept.now).toEqual(['paused', '2024-10-05T04:00:00.000Z', undefined]);
    expect(after.filter(({ now }) => now[0] === 'active')).toHaveLength(1);
    const { items } = await at.console.ok(
      subscriptions.history,
      { subscriptionId: kept.id },
      { token: one.token },
    );
    expect(items.map(({ action, to }) => `${action} ${to}`)).toEqual([
      'keep_paused paused',
      'stop paused',
      'subscribe active',
    ]);
    const message =
      /^Paused \d stays paused: resuming it would exceed your credit limit of NT\$[\d,]+\. Pay bills/;
    expect(await told(one.token)).toEqual([expect.stringMatching(message)]);
    expect(await told(at.admin)).toHaveLength(1);
    await applyDue();
    expect(await told(one.token)).toHaveLength(1);
    // It costs nothing, and whoever pays may resume it.
    await setLimit(one, twd(await usedNow(one)));
    expect(await resume(one, kept.id)).toBe('409 creditlimits.reached');
    await topUp(one, twd(50_000));
    expect(await resume(one, kept.id)).toBe('200 ');
  });

  it('is noted only in the next month: the service was resumed as planned, and is paused from then on', async () => {
    await setLimit(one, null);
    const late = await subscribed(one);
    await pauseUntil(one, late, '2024-10-30T00:00:00+08:00');
    await setLimit(one, twd(1));
    await moveTo('2024-11-01T09:00:00+08:00');
    await applyDue();
    expect(await shown(one, late)).toEqual(['paused', '2024-11-01T01:00:00.000Z', undefined]);
    await setLimit(one, null);
    expect(await resume(one, late)).toBe('200 ');
    expect((await shown(one, late))[0]).toBe('active');
  });

  it('needs no limit, and tells nobody how much the payer owes', async () => {
    const [free, bound] = [await subscribed(paidFor), await subscribed(paidFor)];
    await pauseUntil(paidFor, free, '2024-12-03T00:00:00+08:00');
    await pauseUntil(paidFor, bound, '2024-12-04T00:00:00+08:00');
    await at.console.ok(
      payers.setPayer,
      { organizationId: paidFor.organizationId, payerId: payer.organizationId, from: '2024-12' as never },
      { token: at.admin },
    );
    await moveTo('2024-12-03T00:00:00+08:00');
    await applyDue();
    expect((await shown(paidFor, free))[0]).toBe('active');
    await setLimit(payer, twd(1));
    await moveTo('2024-12-04T00:00:00+08:00');
    await applyDue();
    expect((await shown(paidFor, bound))[0]).toBe('paused');
    expect(await told(paidFor.token)).toEqual([
      expect.stringContaining('the organization that pays for yours has reached its credit limit'),
    ]);
    expect((await told(paidFor.token)).join('')).not.toContain('NT$');
  });
});
