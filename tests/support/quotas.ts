// A console for tests of quotas: services with limits, metering by key, and a clock to move.
import { beforeAll, expect } from 'vitest';
import { required } from '#kernel/assert.ts';
import { catalogue, type Meter, type Quota } from '#features/selling/catalogue/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { notifications } from '#features/messaging/notifications/contract.ts';
import { quotas } from '#features/metering/quotas/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { usage } from '#features/metering/usage/contract.ts';
import { runFeatureJob } from './jobs.ts';
import {
  adminAccount,
  createTestConsole,
  registerUser,
  setUp,
  signIn,
  type CallOptions,
  type TestConsole,
} from './console.ts';

export let console: TestConsole;
export let admin: string;
/** The owner of an organization, its metering key, and the platform's own key. */
export let owner: { token: string; userId: string; organizationId: string };
export let key: string;
export let platformKey: string;
let count = 0;
/** A number that was not used before. */
export const fresh = (): number => ++count;

export const begin = new Date('2026-10-05T04:00:00Z');

/** Moves the clock; sessions expire meanwhile, so all users sign in again. */
export async function moveTo(moment: string): Promise<void> {
  console.clock.set(new Date(moment));
  admin = await signIn(console, adminAccount.account, adminAccount.password);
  owner = { ...owner, token: await signIn(console, 'owner@one.example') };
}

type Limited = { quota?: Quota; meter?: Partial<Meter>; token?: string };
/** A new service with a limit, and a subscription to it; returns the subscription's id. */
export async function limited({
  quota = { type: 'hard', limit: '100' },
  meter = {},
  token = owner.token,
}: Limited = {}) {
  const service = await console.ok(
    catalogue.createService,
    {
      name: `Plan ${fresh()}`,
      type: 'API',
      category: 'Platform',
      pricing: { model: 'per_unit', currency: 'TWD', unitPrice: '2' },
      meter: { eventType: 'call', aggregation: 'sum', unit: 'requests', ...meter },
      quota,
    },
    { token: admin },
  );
  const subscription = await console.ok(subscriptions.subscribe, { serviceId: service.id }, { token });
  return { id: subscription.id, serviceId: service.id, name: service.name };
}

export const reserve = (
  id: string,
  quantity: string,
  more: { ttlSeconds?: number; reference?: string } = {},
  options: CallOptions = {},
) =>
  console.call(
    quotas.reserve,
    { subscriptionId: id as never, quantity, ...more },
    { token: key, ...options },
  );
export const commit = (id: string, quantity?: string, options: CallOptions = {}) =>
  console.call(
    quotas.commitReservation,
    { reservationId: id as never, ...(quantity === undefined ? {} : { quantity }) },
    { token: key, ...options },
  );
export const release = (id: string, options: CallOptions = {}) =>
  console.call(quotas.releaseReservation, { reservationId: id as never }, { token: key, ...options });
/** The entitlement that a gateway reads. */
export const entitled = (id: string) =>
  console.ok(quotas.entitlement, { subscriptionId: id as never }, { token: key });
/** One quota as its owner sees it. */
export const quotaOf = async (id: string) =>
  required(
    (await console.ok(quotas.listQuotas, {}, { token: owner.token })).items.find(
      (each) => each.subscriptionId === id,
    ),
    'the quota',
  );

export type Sent = {
  readonly type?: string;
  readonly id?: string;
  readonly time?: Date;
  readonly data: object;
};
/** Sends events of a subscription, by default calls at the current time; expects all to be accepted. */
export async function send(subject: string, ...events: readonly Sent[]): Promise<void> {
  const body = events.map(({ type = 'call', id = `q${fresh()}`, time = console.clock.now(), data }) => ({
    specversion: '1.0',
    id,
    source: '/q',
    type,
    subject,
    time: time.toISOString(),
    data,
  }));
  const { rejected } = await console.ok(
    usage.ingest,
    {},
    {
      token: platformKey,
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/cloudevents-batch+json' },
    },
  );
  expect(rejected).toEqual([]);
}
/** Meters values of a subscription, each as an event at the current time. */
export const meter = (id: string, ...values: readonly string[]): Promise<void> =>
  send(id, ...values.map((value) => ({ data: { value } })));

/**
 * Collects a user's notifications from now on: returns the English messages received since, oldest first. The
 * clock may be moved back meanwhile.
 */
export async function listen(token: () => string): Promise<() => Promise<string[]>> {
  // Signing in also causes a notification.
  const all = async () =>
    (await console.ok(notifications.listNotifications, { limit: 200 }, { token: token() })).items.filter(
      ({ category }) => category === 'usage' || category === 'billing',
    );
  const before = new Set((await all()).map((item) => item.id));
  return async () =>
    (await all())
      .filter((item) => !before.has(item.id))
      .map((item) => item.message)
      .toReversed();
}

/** Runs one of a feature's jobs by its name. */
export async function runJob(name: string, payload: object = {}): Promise<void> {
  await runFeatureJob(console.app, name, payload);
}

/** Starts the console for the calling test file. Call it at the top of the file. */
export function startQuotaConsole(): void {
  beforeAll(async () => {
    count = 0;
    console = await createTestConsole(begin);
    admin = await setUp(console);
    owner = await registerUser(console, 'owner@one.example', 'One');
    key = (
      await console.ok(
        identity.createApiKey,
        { name: 'own gateway', scope: 'metering', organizationId: owner.organizationId as never },
        { token: admin },
      )
    ).secret;
    platformKey = (await console.ok(identity.createApiKey, { name: 'gateway' }, { token: admin })).secret;
  });
}
