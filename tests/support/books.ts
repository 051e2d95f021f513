// Correct books for tests, made through the API: two organizations, two closed months, every kind of meter,
// late usage, payments.
import { required } from '#kernel/assert.ts';
import { money } from '#kernel/money.ts';
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { billing } from '#features/invoicing/billing/contract.ts';
import { catalogue, type Meter, type Pricing } from '#features/selling/catalogue/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { payments } from '#features/receivables/payments/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { usage } from '#features/metering/usage/contract.ts';
import { adminAccount, createTestConsole, registerUser, setUp, signIn, type TestConsole } from './console.ts';

export type Customer = { readonly email: string; readonly organizationId: Id<'org'> };
export type TestBooks = {
  readonly console: TestConsole;
  readonly customers: readonly [Customer, Customer];
  readonly moveTo: (moment: string) => Promise<void>;
  readonly admin: () => string;
  readonly tokenOf: (customer: Customer) => Promise<string>;
  readonly customer: (name: string, timeZone?: string) => Promise<Customer>;
  readonly subscribe: (
    customer: Customer,
    pricing: Pricing,
    meter?: Partial<Meter>,
    family?: string,
  ) => Promise<Id<'sub'>>;
  /** Sends a value as one event of a subscription; with a property for meters that count distinct values. */
  readonly send: (
    subscription: Id<'sub'>,
    id: string,
    value: string,
    time: string,
    data?: object,
  ) => Promise<void>;
  readonly takeBack: (subscription: Id<'sub'>, id: string) => Promise<void>;
  readonly close: (month: string) => Promise<void>;
  readonly topUp: (customer: Customer, minor: bigint, currency: 'TWD' | 'USD') => Promise<void>;
  /** Pays a month's bill, in part when an amount is given. */
  readonly pay: (customer: Customer, month: string, minor?: bigint) => Promise<void>;
};

/** The connection to a test console's database, as PostgreSQL's environment variables. */
export function placeOf({ app }: Pick<TestConsole, 'app'>): Record<string, string> {
  const { where } = app.database;
  if (typeof where === 'string') return { DATABASE_URL: where };
  const { host, port, user, database, password } = where;
  return {
    PGHOST: host,
    PGPORT: String(port),
    PGUSER: user,
    PGDATABASE: database,
    ...(password !== undefined && { PGPASSWORD: password }),
  };
}

/** An empty console, and the functions with which tests build its history. */
export async function emptyBooks(now: string): Promise<Omit<TestBooks, 'customers'>> {
  const console = await createTestConsole(new Date(now));
  let admin = await setUp(console);
  const key = (await console.ok(identity.createApiKey, { name: 'gateway' }, { token: admin })).secret;
  let services = 0;
  const tokenOf = ({ email }: Customer): Promise<string> => signIn(console, email);
  const ingest = async (event: object): Promise<void> => {
    const { rejected } = await console.ok(
      usage.ingest,
      {},
      {
        token: key,
        body: JSON.stringify([event]),
        headers: { 'content-type': 'application/cloudevents-batch+json' },
      },
    );
    if (rejected.length > 0) throw new Error(`rejected: ${JSON.stringify(rejected)}`);
  };
  const event = (subscription: string, id: string) => ({
    specversion: '1.0',
    id,
    source: `/meters/${subscription}`,
    type: 'call',
    subject: subscription,
  });
  return {
    console,
    tokenOf,
    admin: () => admin,
    moveTo: async (moment) => {
      console.clock.set(new Date(moment));
      admin = await signIn(console, adminAccount.account, adminAccount.password);
    },
    customer: async (name, timeZone) => {
      const email = `owner@${name.toLowerCase()}.example`;
      const { organizationId, token } = await registerUser(console, email, name);
      if (timeZone) await console.ok(identity.updateOrganization, { timeZone } as never, { token });
      return { email, organizationId: organizationId as Id<'org'> };
    },
    subscribe: async ({ organizationId }, pricing, meter = {}, family = '') => {
      const service = await console.ok(
        catalogue.createService,
        {
          name: `Service ${++services}`,
          type: 'API',
          category: 'Own',
          pricing,
          family,
          meter: { eventType: 'call', aggregation: 'sum', unit: 'calls', ...meter },
        },
        { token: admin },
      );
      return (
        await console.ok(
          subscriptions.adminSubscribe,
          { organizationId, serviceId: service.id, startedAt: new Date('2024-08-30T16:00:00Z') },
          { token: admin },
        )
      ).id;
    },
    send: (subscription, id, value, time, data = {}) =>
      ingest({ ...event(subscription, id), time, data: { value, ...data } }),
    takeBack: (subscription, id) =>
      ingest({ ...event(subscription, `void-${id}`), type: 'call.void', data: { id } }),
    close: async (month) =>
      void (await console.ok(billing.closeMonth, { month: month as BillingMonth }, { token: admin })),
    topUp: async (customer, minor, currency) => {
      const { id } = await console.ok(
        payments.topUp,
        { amount: money(minor, currency) },
        { token: await tokenOf(customer) },
      );
      await console.ok(payments.confirmPayment, { paymentId: id }, { token: admin });
    },
    pay: async (customer, month, minor) => {
      const token = await tokenOf(customer);
      const bill = required(
        (await console.ok(billing.listBills, { month: month as BillingMonth }, { token })).items[0],
        'a bill of the month',
      );
      await console.ok(
        payments.payBill,
        {
          billId: bill.id,
          method: 'balance',
          ...(minor === undefined ? {} : { amount: money(minor, bill.currency) }),
        },
        { token },
      );
    },
  };
}

const tiered: Pricing = {
  model: 'graduated',
  currency: 'TWD',
  baseFee: '100',
  included: '1',
  minimum: '130',
  tiers: [
    { upTo: '3', unitPrice: '0.4' },
    { upTo: null, unitPrice: '1.3' },
  ],
};
const perUnit = (unitPrice: string, currency: 'TWD' | 'USD' = 'TWD'): Pricing => ({
  model: 'per_unit',
  currency,
  unitPrice,
});

/**
 * Two months of two organizations. One bill is partly paid, one fully; usage came late and was withdrawn; one
 * bill is negative.
 */
export async function createTestBooks(): Promise<TestBooks> {
  const books = await emptyBooks('2024-09-10T00:00:00Z');
  const { send, subscribe, takeBack } = books;
  const one = await books.customer('One');
  const two = await books.customer('Two', 'America/New_York');
  await books.moveTo('2024-09-11T00:00:00Z');
  const calls = await subscribe(one, tiered);
  const peak = await subscribe(one, perUnit('2'), { aggregation: 'max' });
  const seats = await subscribe(one, perUnit('5'), { aggregation: 'unique_count', property: 'user' });
  const disks = await subscribe(one, perUnit('7'), { aggregation: 'time_weighted_average' });
  const files = await subscribe(
    two,
    { model: 'package', currency: 'USD', packageSize: '10', packagePrice: '0.999' },
    { aggregation: 'count' },
  );
  const level = await subscribe(two, perUnit('0.055', 'USD'), { aggregation: 'latest' });
  for (const [day, value] of ['2', '0.5', '4', '-1'].entries())
    await send(calls, `c${day}`, value, `2024-09-0${day + 1}T15:30:00Z`);
  await send(peak, 'p1', '3', '2024-09-02T00:10:00Z');
  await send(peak, 'p2', '9', '2024-09-02T00:20:00Z');
  await takeBack(peak, 'p2');
  for (const [hour, user] of ['one', 'two', 'one'].entries())
    await send(seats, `s${hour}`, '1', `2024-09-02T0${hour}:00:00Z`, { user });
  await send(disks, 'd1', '3', '2024-09-02T00:00:00Z');
  await send(files, 'f1', '1', '2024-09-01T04:30:00Z');
  await send(files, 'f2', '1', '2024-09-01T03:30:00Z');
  await send(level, 'l1', '10', '2024-09-03T00:00:00Z');
  await books.topUp(one, 400n, 'TWD');
  await books.moveTo('2024-10-05T00:00:00Z');
  await books.close('2024-09');
  await books.pay(one, '2024-09', 50n);
  await books.topUp(two, 50_000n, 'USD');
  await books.pay(two, '2024-09');
  await send(calls, 'late', '10', '2024-09-29T00:00:00Z');
  await takeBack(files, 'f1');
  await send(calls, 'october', '2', '2024-10-02T00:00:00Z');
  await books.moveTo('2024-11-05T00:00:00Z');
  await books.close('2024-10');
  await send(calls, 'later', '1', '2024-10-03T00:00:00Z');
  await send(calls, 'november', '1', '2024-11-02T00:00:00Z');
  return { ...books, customers: [one, two] };
}
