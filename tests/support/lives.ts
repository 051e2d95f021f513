// A console on which people live at random: calls that must leave no trace when they are refused or repeated,
// and a clock that runs the jobs of each day.
import { sql } from 'kysely';
import type pg from 'pg';
import { expect, vi } from 'vitest';
import type * as z from 'zod/mini';
import { required } from '#kernel/assert.ts';
import type { Route } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import { currencies, money, type Currency, type Money } from '#kernel/money.ts';
import type { BillingMonth, LocalDay } from '#kernel/shape.ts';
import { identity } from '#features/access/identity/contract.ts';
import { creditgrants } from '#features/invoicing/credit-grants/contract.ts';
import { dunning } from '#features/receivables/dunning/contract.ts';
import { payments } from '#features/receivables/payments/contract.ts';
import { einvoices } from '#features/receivables/einvoices/contract.ts';
import { runEinvoices } from '#features/receivables/einvoices/server/index.ts';
import { administration } from '#features/operations/administration/contract.ts';
import { meters } from '#features/selling/meters/contract.ts';
import { createLog } from '#platform/server/log.ts';
import { connection } from '../../verify/connection.ts';
import { placeOf } from './books.ts';
import { atFileEnd } from './clean-up.ts';
import { adminAccount, createTestConsole, registerUser, setUp, signIn, type TestConsole } from './console.ts';
import { TestProvider } from './einvoices-test-provider.ts';
import { runFeatureJob, stopRepeating } from './jobs.ts';
import { mapAll } from './journals.ts';
import { offerIn, type Offer } from './lives-catalogue.ts';
import { FakeStripe, stripeSecret, type Dispute, type StripeEvent } from './stripe.ts';

export type Person = {
  readonly email: string;
  readonly organizationId: Id<'org'>;
  readonly userId: Id<'usr'>;
  readonly currency: Currency;
  token: string;
};
/** What a day's jobs are, in the order of their hours. */
const daily = [
  'end-subscriptions',
  'payment-plans',
  'dunning',
  'late-fees',
  'creditgrants.hourly',
  'commitments.hourly',
  'billing.recognizeRevenue',
  'billing.expireCredit',
  'pay-automatically',
  'collect',
  'top-up-balances',
  'billing.consolidate',
  'reconcile-payments',
];
/** Jobs that move no money and take long. */
const ignored =
  /^(metrics|notif|push|sms|webhook|mail|insights|quotas|live|budgets|month-pack|einvoices|usage-)/;
/** Tables in which money or what leads to it is kept, and those that are only kept figures of it. */
const watched =
  /^(ledger_|bill|payment|credit_|revenue_|one_off|minimum_|late_fee|discount|commitment|consolidated_|retail_|subscription|price_|organization_payer|usage_(event|hour|month)|payer_|interim_|reseller|resold|einvoice)/;
const unwatched = /^(credit_limit|commitment_outlook|bill_collection|late_fee_progress|payment_plan_watch)/;

export const scaleOf = (currency: Currency): bigint => 10n ** BigInt(currencies[currency].billingDigits);

/** Fails with the reason unless both are equal. */
function same(found: unknown, expected: unknown, what: string): void {
  expect(found, what).toEqual(expected);
}
const untilIdle = (isIdle: () => Promise<boolean>): Promise<unknown> =>
  vi.waitFor(async () => expect(await isIdle()).toBe(true), { timeout: 20_000, interval: 20 });

export class Lives {
  readonly console: TestConsole;
  readonly stripe: FakeStripe;
  readonly client: pg.Client;
  /** What the console wrote to its log as an error. */
  readonly faults: readonly string[];
  readonly people: Person[] = [];
  readonly offers = new Map<Currency, Offer>();
  readonly disputes: Dispute[] = [];
  /** The e-invoices at the provider that issues them. */
  readonly einvoices: TestProvider;
  /** Promo codes that people know. */
  readonly codes: string[] = [];
  readonly sent: { readonly id: string; readonly subscriptionId: string; readonly time: string }[] = [];
  /** What was called, with the answers, for the report of a failure. */
  readonly journal: string[] = [];
  /** Whether something happened to a month after its close. */
  isLate = false;
  admin = '';
  gateway = '';
  #made = 0;
  #tables: string[] = [];
  #trace: string | undefined;
  #signedIn = 0;

  private constructor(
    console: TestConsole,
    stripe: FakeStripe,
    client: pg.Client,
    faults: readonly string[],
  ) {
    this.faults = faults;
    this.console = console;
    this.stripe = stripe;
    this.client = client;
    this.einvoices = new TestProvider('ecpay', () => console.clock.now());
  }

  static async start(isDunned: boolean): Promise<Lives> {
    const stripe = await new FakeStripe().start();
    const faults: string[] = [];
    const console = await createTestConsole(
      new Date('2024-09-01T04:00:00Z'),
      {
        STRIPE_SECRET_KEY: 'sk_test_x',
        STRIPE_WEBHOOK_SECRET: stripeSecret,
        STRIPE_API_BASE: stripe.address,
      },
      undefined,
      { log: createLog({ level: 'error', destination: { write: (line) => void faults.push(line) } }) },
    );
    atFileEnd(() => stripe.stop());
    const client = connection(placeOf(console));
    await client.connect();
    const lives = new Lives(console, stripe, client, faults);
    await lives.#begin(isDunned);
    return lives;
  }

  async #begin(isDunned: boolean): Promise<void> {
    const { console } = this;
    this.admin = await setUp(console);
    await stopRepeating(console.app);
    await sql`delete from job.schedule`.execute(this.db);
    this.gateway = (await console.ok(identity.createApiKey, { name: 'gateway' }, this.asAdmin)).secret;
    await console.ok(
      payments.setBankAccount,
      { bank: 'Bank', holder: 'Formosa Cloud', account: '1234', note: '' },
      this.asAdmin,
    );
    await mapAll(console, this.admin);
    await console.ok(administration.updateSettings, { seller }, this.asAdmin);
    await console.ok(einvoices.saveEinvoiceSettings, einvoiceSettings, this.asAdmin);
    const { id: rehearsalId } = await console.ok(dunning.rehearseDunning, {}, this.asAdmin);
    if (isDunned) await console.ok(dunning.switchDunning, { isOn: true, rehearsalId }, this.asAdmin);
    await console.ok(
      creditgrants.setCreditOffer,
      { isOn: true, services: null, usageOnly: false, months: 6 },
      this.asAdmin,
    );
    await console.ok(
      meters.createMeter,
      { key: 'calls', name: 'Calls', eventType: 'call', aggregation: 'sum', unit: 'calls' },
      this.asAdmin,
    );
    const { rows } = await sql<{ name: string }>`select relname as name from pg_class
      where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace order by 1`.execute(
      this.db,
    );
    this.#tables = rows.flatMap(({ name }) => (watched.test(name) && !unwatched.test(name) ? [name] : []));
  }

  async end(): Promise<void> {
    await this.client.end();
    await this.console.end();
  }

  get db() {
    return this.console.app.database.kysely;
  }
  get asAdmin(): { token: string } {
    return { token: this.admin };
  }
  get now(): number {
    return this.console.app.clock.now().getTime();
  }
  /** A number that was not used before. */
  fresh(): number {
    return ++this.#made;
  }
  named(text: string): { zhTW: string; enUS: string } {
    const name = `${text} ${this.fresh()}`;
    return { zhTW: name, enUS: name };
  }
  /** A month in Taipei, some months before or after the present one. */
  month(ahead = 0): BillingMonth {
    const local = new Date(this.now + 8 * 3_600_000);
    return new Date(Date.UTC(local.getUTCFullYear(), local.getUTCMonth() + ahead, 1))
      .toISOString()
      .slice(0, 7) as BillingMonth;
  }
  /** A day in Taipei. */
  day(ahead = 0): LocalDay {
    return new Date(this.now + (8 + 24 * ahead) * 3_600_000).toISOString().slice(0, 10) as LocalDay;
  }

  /** A customer of its own currency, and the services in it. */
  async customer(currency: Currency, timeZone: string): Promise<Person> {
    this.console.clock.advance(61_000);
    const number = this.fresh();
    const email = `owner@l${number}.example`;
    const { organizationId, userId, token } = await registerUser(this.console, email, `L${number}`);
    await this.console.ok(identity.updateOrganization, { timeZone }, { token });
    const person = {
      email,
      organizationId: organizationId as Id<'org'>,
      userId: userId as Id<'usr'>,
      currency,
      token,
    };
    this.people.push(person);
    if (!this.offers.has(currency)) this.offers.set(currency, await offerIn(this, currency));
    return person;
  }

  amountOf(person: Person, units: number): Money {
    // Tenths of the currency's units, in its minor units: amounts with all of its digits.
    const scale = scaleOf(person.currency);
    const minor = (BigInt(units) * scale + 9n) / 10n;
    return money(scale === 1n ? minor : minor + BigInt(units % 7), person.currency);
  }

  /**
   * Calls as somebody. The answer is never a fault of the console; a refused call changes nothing, and one
   * that is repeated with its key answers the same and changes nothing more.
   */
  async attempt<R extends Route>(
    route: R,
    input: z.output<R['input']>,
    token: string,
    isRepeated = false,
  ): Promise<z.output<R['output']> | undefined> {
    this.#trace ??= await this.trace();
    const before = this.#trace;
    const what = `${route.method} ${route.path}`;
    const options = {
      token,
      ...(route.idempotent === true && { headers: { 'idempotency-key': `k${this.fresh()}` } }),
    };
    const answer = await this.console.call(route, input, options);
    this.journal.push(
      `${new Date(this.now).toISOString()} ${what} ${text(input)} → ${answer.status} ${answer.envelope.code ?? ''} ${answer.status >= 400 ? text(answer.envelope.errors ?? '') : ''}`,
    );
    // A provider that fails is named as the reason, and leaves a payment that waits.
    const isProvider = answer.envelope.code?.startsWith('payments.provider_') === true;
    if (!isProvider) same(answer.status < 500, true, `${what} ${answer.envelope.message}`);
    if (isProvider) {
      await this.settle();
      this.forget();
      return undefined;
    }
    if (answer.status === 429 || answer.status === 401)
      throw new Error(`${what} was answered with ${answer.status}: ${answer.envelope.message}`);
    if (answer.status >= 400) {
      same(await this.trace(), before, `${what}, refused as ${answer.envelope.code}, changed`);
      return undefined;
    }
    await this.settle();
    this.#trace = undefined;
    if (isRepeated && route.idempotent === true) {
      this.#trace = await this.trace();
      const again = await this.console.call(route, input, options);
      same([again.status, again.envelope.data], [answer.status, answer.envelope.data], `${what}, repeated`);
      await this.settle();
      same(await this.trace(), this.#trace, `${what}, repeated, changed`);
    }
    return answer.data;
  }

  /** A digest of each table that keeps money. */
  async trace(): Promise<string> {
    const { rows } = await sql<{ what: string }>`${sql.raw(
      this.#tables
        .map(
          (name) =>
            `select '${name} ' || count(*) || ' ' || coalesce(sum(hashtextextended(t::text, 0)::numeric), 0) as what from "${name}" t`,
        )
        .join(' union all '),
    )}`.execute(this.db);
    return rows.map(({ what }) => what).join('\n');
  }
  /** Something changed that was not called here. */
  forget(): void {
    this.#trace = undefined;
  }

  /** Runs what is queued, and waits for what the queue runs already. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < 50; turn++) {
      const { rows } = await sql<{ name: string; data: object | null }>`delete from job.job
        where state in ('created', 'retry') and start_after <= now() returning name, data`.execute(this.db);
      for (const { name, data } of rows)
        if (!ignored.test(name) && !name.startsWith('__'))
          await runFeatureJob(this.console.app, name, data ?? {});
      if (rows.length > 0) continue;
      const { rows: running } = await sql`select from job.job where state = 'active'`.execute(this.db);
      if (running.length === 0) return this.#sent();
      await untilIdle(
        async () =>
          (await sql`select from job.job where state = 'active'`.execute(this.db)).rows.length === 0,
      );
    }
    throw new Error('jobs queue each other without an end');
  }

  /** Waits for the first attempt to close each checkout that is not needed any more. */
  async #sent(): Promise<void> {
    await untilIdle(
      async () =>
        (
          await sql`select from outbox where kind = 'payments.close_checkout' and sent_at is null and parked_at is null and attempts = 0`.execute(
            this.db,
          )
        ).rows.length === 0,
    );
  }

  /** Lives the next days; the jobs run when they are over, and when a month begins. */
  async live(days: number): Promise<void> {
    const until = this.now + days * 24 * 3_600_000;
    const nextMonth = Date.parse(`${this.month(1)}-01T00:00:00+08:00`) + 600_000;
    for (const moment of nextMonth < until ? [nextMonth, until] : [until]) {
      this.console.clock.set(new Date(moment));
      await this.runJobs();
    }
    await this.signIn();
  }
  /** Lives until a day of the next month. */
  async liveUntilNextMonth(day: number): Promise<void> {
    const nextMonth = Date.parse(`${this.month(1)}-01T04:00:00+08:00`);
    await this.live((nextMonth - this.now) / (24 * 3_600_000) + day);
  }
  async runJobs(): Promise<void> {
    this.forget();
    for (const name of daily) {
      await runFeatureJob(this.console.app, name);
      await this.settle();
    }
    await this.sendEinvoices();
  }
  async sendEinvoices(): Promise<void> {
    this.forget();
    await runEinvoices(this.console.app, this.einvoices);
    await this.settle();
  }
  /** Does something that has been done already; nothing changes. */
  async unchanged(what: string, again: () => Promise<unknown>): Promise<void> {
    const before = await this.trace();
    await again();
    same(await this.trace(), before, `${what}, changed`);
  }
  async signIn(isForced = false): Promise<void> {
    if (!isForced && this.now - this.#signedIn < 4 * 60_000) return;
    this.#signedIn = this.now;
    this.admin = await signIn(this.console, adminAccount.account, adminAccount.password);
    for (const person of this.people) person.token = await signIn(this.console, person.email);
  }

  async stripeSends(event: StripeEvent): Promise<void> {
    const { body, headers } = this.stripe.signed(event, this.console.clock.now());
    const answer = await fetch(`${this.console.address}/api/payments/webhooks/stripe`, {
      method: 'POST',
      body,
      headers,
    });
    await answer.arrayBuffer();
    this.journal.push(`Stripe: ${event.type} ${text(event.data.object)} → ${answer.status}`);
    same(answer.status, 200, `Stripe's ${event.type}`);
    this.forget();
    await this.settle();
  }

  person(index: number): Person {
    return required(this.people[index % this.people.length], 'a person');
  }
  offer(person: Person): Offer {
    return required(this.offers.get(person.currency), 'an offer');
  }
}

const seller = {
  name: '福爾摩沙雲端股份有限公司',
  taxId: '04595257',
  address: '臺北市信義區市府路一號',
  email: 'billing@cloud.example',
};
const einvoiceSettings = {
  provider: 'ecpay',
  merchantId: '2000132',
  hashKey: 'k',
  hashIv: 'i',
  isStage: false,
  hasB2b: false,
  companies: 'on_issue',
  consumers: 'on_issue',
  consumerHours: 48,
  companyHours: 168,
  warnHours: 12,
  lowPercent: 20,
} as const;

const text = (value: unknown): string =>
  JSON.stringify(value, (_key, each: unknown) => (typeof each === 'bigint' ? String(each) : each)).slice(
    0,
    400,
  );
