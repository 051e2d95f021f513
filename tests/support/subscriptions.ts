// A console for tests of subscriptions: services, orders, a movable clock, and how calls are rejected.
import { beforeAll, beforeEach } from 'vitest';
import { required } from '#kernel/assert.ts';
import { catalogue, type Pricing } from '#features/selling/catalogue/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { features } from '#app/features.ts';
import { adminAccount, createTestConsole, registerUser, setUp, signIn, type TestConsole } from './console.ts';

export let console: TestConsole;
export let admin: string;
export let token: string;
export let person: { token: string; userId: string; organizationId: string };
let count = 0;
/** A number that was not used before, for names. */
export const fresh = (): number => ++count;

const meter = { eventType: 'call', aggregation: 'sum', unit: 'requests' } as const;
export const flat = (baseFee: string, currency: 'TWD' | 'USD' = 'TWD'): Pricing => ({
  model: 'flat',
  currency,
  baseFee,
});
export type Made = {
  family?: string;
  pricing?: Pricing;
  trialDays?: number;
  billingCycle?: 'monthly' | 'yearly';
  releaseState?: 'Active' | 'Beta' | 'Coming Soon';
  status?: 'active' | 'inactive';
  meter?: typeof meter | { eventType: string; aggregation: 'max'; unit: string };
};
export const service = ({ pricing = flat('300'), ...more }: Made = {}) =>
  console.ok(
    catalogue.createService,
    { name: `Plan ${++count}`, type: 'API', category: 'Platform', pricing, meter, ...more },
    { token: admin },
  );
export const subscribe = (serviceId: string, more: object = {}) =>
  console.ok(subscriptions.subscribe, { serviceId: serviceId as never, ...more }, { token });
export const one = (id: string) =>
  console.ok(subscriptions.getSubscription, { subscriptionId: id as never }, { token });
/** The code of an error, with the fields that it names. */
export const fails = async (
  call: Promise<{ envelope: { code?: string; errors?: readonly { field: string; code: string }[] } }>,
) => {
  const { envelope } = await call;
  return envelope.errors
    ? envelope.errors.map((each) => `${each.field}: ${each.code}`).join()
    : envelope.code;
};
/** A subscription's history, one line per entry, newest first. */
export const moments = async (id: string) =>
  (await console.ok(subscriptions.history, { subscriptionId: id as never }, { token })).items.map(
    (each) => `${each.at.toISOString().slice(0, 16)} ${each.action} ${each.from}→${each.to}`,
  );
/** Moves the clock; sessions expire meanwhile, so all users sign in again. */
export async function moveTo(moment: string): Promise<void> {
  console.clock.set(new Date(moment));
  admin = await signIn(console, adminAccount.account, adminAccount.password);
  token = await signIn(console, 'owner@one.example');
}
/** Runs the job that applies what has become due. */
export const runJob = () =>
  required(features.find((each) => each.name === 'subscriptions')?.jobs[0], 'the job of subscriptions').run(
    console.app,
    {} as never,
    new AbortController().signal,
  );

/**
 * Starts the console for the calling test file; before each test the clock is reset. Call it at the top of
 * the file.
 */
export function startSubscriptionConsole(): void {
  beforeAll(async () => {
    count = 0;
    console = await createTestConsole(new Date('2026-10-05T04:00:00Z'));
    admin = await setUp(console);
    person = await registerUser(console, 'owner@one.example', 'One');
    token = person.token;
  });
  beforeEach(() => moveTo('2026-10-05T04:00:00Z'));
}
