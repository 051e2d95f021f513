// Leap days, clock changes and month ends in zones east and west of the provider's: each event and each fee is on the
// bill of its local month, once (R-BILL-05, F10).
import type pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { required } from '#kernel/assert.ts';
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { identity } from '#features/access/identity/contract.ts';
import { billing } from '#features/invoicing/billing/contract.ts';
import { usage } from '#features/metering/usage/contract.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { checkerOf } from '../../verify/test-found.ts';
import {
  at,
  bills,
  close,
  customer,
  expectVerified,
  fee,
  moveTo,
  startBilling,
  type Customer,
} from '../support/corrections.ts';

// The provider is in Taipei.
const zones = [
  'Pacific/Kiritimati',
  'Pacific/Apia',
  'Australia/Lord_Howe',
  'Asia/Taipei',
  'Europe/London',
  'America/New_York',
  'America/Santiago',
  'Pacific/Pago_Pago',
];
const hourMs = 3_600_000;
/** Events are sent for these months; clocks change in March or April in five of the zones. */
const metered = ['2028-02', '2028-03', '2028-04'];
const closed = [
  ...metered,
  ...Array.from({ length: 11 }, (_, index) => new Date(Date.UTC(2028, 4 + index)).toISOString().slice(0, 7)),
];

/** The local date and time, by the engine's own calendar, which shares no code with the console's. */
const localOf = (moment: number, timeZone: string): string =>
  new Date(moment).toLocaleString('sv-SE', { timeZone, hourCycle: 'h23' });
/** The first millisecond of a local day. */
function startOfDay(day: string, timeZone: string): number {
  let [before, after] = [
    Date.parse(`${day}T00:00:00Z`) - 36 * hourMs,
    Date.parse(`${day}T00:00:00Z`) + 36 * hourMs,
  ];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (localOf(middle, timeZone).slice(0, 10) < day) before = middle;
    else after = middle;
  }
  return after;
}

type One = {
  readonly zone: string;
  readonly customer: Customer;
  readonly monthly: Id<'sub'>;
  readonly yearly: Id<'sub'>;
};
const all: One[] = [];
/** How many events each customer used by local month. */
const used = new Map<string, number>();
let client: pg.Client;

beforeAll(async () => {
  await startBilling();
  await moveTo('2028-02-25T00:00:00Z');
  const service = async (name: string, more: object) =>
    (
      await at.console.ok(
        catalogue.createService,
        {
          name,
          type: 'API',
          category: 'Own',
          pricing: fee('2900'),
          meter: { eventType: 'call', aggregation: 'sum', unit: 'calls' },
          ...more,
        },
        { token: at.admin },
      )
    ).id;
  const monthly = await service('Monthly', {});
  const yearly = await service('Yearly', { billingCycle: 'yearly', pricing: fee('36600') });
  const customers: (readonly [string, Customer])[] = [];
  for (const timeZone of zones) {
    const one = await customer();
    await at.console.ok(identity.updateOrganization, { timeZone }, { token: one.token });
    customers.push([timeZone, one]);
  }
  await moveTo('2028-03-02T12:00:00Z');
  for (const [zone, one] of customers) {
    const { organizationId } = one;
    const begin = async (serviceId: Id<'svc'>, startedAt: number) =>
      (
        await at.console.ok(
          subscriptions.adminSubscribe,
          { organizationId, serviceId, startedAt: new Date(startedAt) },
          { token: at.admin },
        )
      ).id;
    all.push({
      zone,
      customer: one,
      // The first and the last millisecond of the leap day.
      monthly: await begin(monthly, startOfDay('2028-02-29', zone)),
      yearly: await begin(yearly, startOfDay('2028-03-01', zone) - 1),
    });
  }
  client = await checkerOf(at.console);
}, 120_000);

/** Sends an event of each full UTC hour of the local months, and of the first and last millisecond of each month. */
async function sendAll(key: string): Promise<void> {
  for (const { zone, monthly } of all) {
    const [from, to] = [startOfDay('2028-02-29', zone), startOfDay('2028-05-01', zone)];
    const times = new Set<number>();
    for (let hour = Math.ceil(from / hourMs) * hourMs; hour < to; hour += hourMs) times.add(hour);
    for (const day of ['2028-03-01', '2028-04-01', '2028-05-01'])
      for (const moment of [startOfDay(day, zone) - 1, startOfDay(day, zone)])
        if (moment < to) times.add(moment);
    const events = [...times].map((moment) => {
      const month = `${zone} ${localOf(moment, zone).slice(0, 7)}`;
      used.set(month, (used.get(month) ?? 0) + 1);
      return {
        specversion: '1.0',
        id: String(moment),
        source: zone,
        type: 'call',
        subject: monthly,
        time: new Date(moment).toISOString(),
        data: { value: '1' },
      };
    });
    for (let place = 0; place < events.length; place += 800) {
      const { rejected } = await at.console.ok(
        usage.ingest,
        {},
        {
          token: key,
          body: JSON.stringify(events.slice(place, place + 800)),
          headers: { 'content-type': 'application/cloudevents-batch+json' },
        },
      );
      expect(rejected).toEqual([]);
    }
  }
}

describe('F10: the calendar', () => {
  it('each event and each fee is on the bill of its local month, from a leap day to the next year’s last of February', async () => {
    await moveTo('2028-05-01T12:00:00Z');
    const { secret } = await at.console.ok(identity.createApiKey, { name: 'edges' }, { token: at.admin });
    await sendAll(secret);
    for (const month of closed) {
      const [year = 0, number = 0] = month.split('-').map(Number);
      await moveTo(new Date(Math.max(Date.UTC(year, number, 5), Date.UTC(2028, 4, 2))).toISOString());
      await close(month as BillingMonth);
      for (const { zone, customer: one, monthly, yearly } of all) {
        const lines = (await bills(one, month as BillingMonth)).flatMap((bill) => bill.lines);
        const of = (subscriptionId: string, kind: string) =>
          lines.filter((line) => line.subscriptionId === subscriptionId && line.kind === kind);
        const fees = (id: string): bigint[] => of(id, 'base_fee').map(({ total }) => total.minor);
        // One of the 29 days of February 2028.
        expect([zone, month, fees(monthly)]).toEqual([zone, month, [month === '2028-02' ? 100n : 2900n]]);
        expect([zone, month, fees(yearly)]).toEqual([
          zone,
          month,
          month === '2028-02' || month === '2029-02' ? [36_600n] : [],
        ]);
        const counted = used.get(`${zone} ${month}`) ?? 0;
        expect([zone, month, of(monthly, 'usage').map(({ quantity }) => quantity)]).toEqual([
          zone,
          month,
          counted === 0 ? [] : [String(counted)],
        ]);
      }
    }
    await expectVerified(client);
  }, 300_000);

  it('a year from a leap day ends on the last day of February, and on the leap day when there is one again', async () => {
    const { customer: one, yearly } = required(
      all.find(({ zone }) => zone === 'America/New_York'),
      'a customer',
    );
    const ends: string[] = [];
    for (const year of [2029, 2030, 2031]) {
      await moveTo(`${year}-06-01T00:00:00Z`);
      const { termEndsAt } = await at.console.ok(
        subscriptions.getSubscription,
        { subscriptionId: yearly },
        { token: one.token },
      );
      ends.push(localOf(required(termEndsAt, 'the end of the term').getTime(), 'America/New_York'));
    }
    expect(ends).toEqual(['2030-02-28 00:00:00', '2031-02-28 00:00:00', '2032-02-29 00:00:00']);
  });

  it('a month is closed for nobody whose month is not over, and for everybody once the last zone’s is', async () => {
    const month = '2031-05' as BillingMonth;
    const over = (zone: string) => startOfDay('2031-06-01', zone);
    const last = Math.max(...zones.map(over));
    await moveTo(new Date(Math.min(...zones.map(over)) - 1).toISOString());
    const early = await at.console.call(billing.closeMonth, { month }, { token: at.admin });
    expect(early.status).toBeGreaterThanOrEqual(400);
    await moveTo(new Date(last - 1).toISOString());
    await close(month);
    const without = await Promise.all(
      all.map(async ({ zone, customer: one }) => ((await bills(one, month)).length === 0 ? zone : '')),
    );
    expect(without.filter(Boolean)).toEqual(['Pacific/Pago_Pago']);
    await moveTo(new Date(last).toISOString());
    expect(await close(month)).toMatchObject({ issued: 1 });
  });
});
