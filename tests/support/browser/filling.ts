// Shared by the code that fills a console: callers, existing objects, and dates relative to today.
import { dayMs } from '#kernel/durations.ts';
import type { FakeStripe } from '../stripe.ts';
import type { Journey } from './journey.ts';

/** Months and days are in Taipei time. */
export const taipeiMs = 8 * 3_600_000;

/** The services of the catalog that is created first. */
export type ServiceName = 'storage' | 'database' | 'server' | 'larger' | 'inference' | 'quantum';
/**
 * The external services of a console whose every page has content: card payments, a receiver, and a broker if
 * one is installed.
 */
export type Stands = {
  readonly stripe: FakeStripe;
  readonly receiver: string;
  readonly nats: number | undefined;
};
export type Call = <T>(method: string, path: string, body?: unknown, mediaType?: string) => Promise<T>;
/** Shared by the steps: calls as operator and as customer, and the ids of what they created. */
export type App = {
  readonly journey: Journey;
  readonly asAdmin: Call;
  readonly asOwner: Call;
  readonly organizationId: string;
  readonly services: Readonly<Record<ServiceName, string>>;
  readonly subscriptions: Record<string, string>;
};

export const twd = (amount: string) => ({ amount, currency: 'TWD' });
/** The day in Taipei `count` days ago, and its noon. */
export const dayBefore = (count: number): string =>
  new Date(Date.now() + taipeiMs - count * dayMs).toISOString().slice(0, 10);
export const noonOf = (count: number): string =>
  new Date(Date.parse(`${dayBefore(count)}T04:00:00Z`)).toISOString();
/** The month in Taipei `count` months before the current one. */
export const monthBefore = (count: number): string => {
  const [year = 0, month = 0] = dayBefore(0).split('-').map(Number);
  return new Date(Date.UTC(year, month - 1 - count, 1)).toISOString().slice(0, 7);
};
