// What the parts that fill a console share: who calls, what is there already, and days and months from now.
import type { FakeStripe } from '../stripe.ts';
import type { Journey } from './journey.ts';

const dayMs = 86_400_000;
/** Months and days are those of Taipei. */
export const taipeiMs = 8 * 3_600_000;

/** The services of the catalogue that is made first. */
export type ServiceName = 'storage' | 'database' | 'server' | 'larger' | 'inference' | 'quantum';
/** The other sides of a console whose every page is to have something: who takes cards, who takes what is sent, and a broker if the machine has one. */
export type Stands = {
  readonly stripe: FakeStripe;
  readonly receiver: string;
  readonly nats: number | undefined;
};
export type Call = <T>(method: string, path: string, body?: unknown, mediaType?: string) => Promise<T>;
/** What the steps share: both sides' calls, and the names they gave. */
export type App = {
  readonly journey: Journey;
  readonly asAdmin: Call;
  readonly asOwner: Call;
  readonly organizationId: string;
  readonly services: Readonly<Record<ServiceName, string>>;
  readonly subscriptions: Record<string, string>;
};

export const twd = (amount: string) => ({ amount, currency: 'TWD' });
/** The day it is in Taipei and `count` days before, and noon of it. */
export const dayBefore = (count: number): string =>
  new Date(Date.now() + taipeiMs - count * dayMs).toISOString().slice(0, 10);
export const noonOf = (count: number): string =>
  new Date(Date.parse(`${dayBefore(count)}T04:00:00Z`)).toISOString();
/** The month `count` months before this one in Taipei. */
export const monthBefore = (count: number): string => {
  const [year = 0, month = 0] = dayBefore(0).split('-').map(Number);
  return new Date(Date.UTC(year, month - 1 - count, 1)).toISOString().slice(0, 7);
};
