// A console, or its database, that is killed while customers pay collects each payment once, even when
// requests are repeated (R-BILL-05).
import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { expect, it } from 'vitest';
import { findRunningPostgres } from '#platform/server/database/embedded/listen-address.ts';
import { isLong, roundsOr } from '../support/fault-rounds.ts';
import {
  killItsDatabase,
  killProcess,
  makeDataDir,
  processApi as api,
  processPassword as password,
  setUpProcess,
  signInProcess as signIn,
  startProcess,
  type ProcessConsole,
} from '../support/process.ts';

// `npm run faults` runs many more rounds.
const rounds = roundsOr(2);
const customers = isLong ? 8 : 4;
const billsEach = 5;
const fee = 105n;
const prepaid = 10_000_000n;

type Customer = { readonly token: string; readonly organizationId: string };
type Wanted = { readonly token: string; readonly billId: string; readonly key: string };

/** After this many rounds all months since 2010 are closed, and other customers are used. */
const roundsOfSome = 36;
/** Past months, one set for each round. */
const monthsOf = (round: number): string[] =>
  Array.from({ length: billsEach }, (_, index) => {
    const number = (round % roundsOfSome) * billsEach + index;
    return `${2010 + Math.floor(number / 12)}-${String((number % 12) + 1).padStart(2, '0')}`;
  });

const accountOf = (round: number, index: number): string =>
  `owner@p${Math.floor(round / roundsOfSome)}-${index}.example`;

async function makeCustomers(console: ProcessConsole, admin: string, round: number): Promise<Customer[]> {
  const { id: serviceId } = await api(
    console,
    'POST',
    '/admin/services',
    {
      name: `Line ${round}`,
      type: 'Network',
      category: 'Own',
      pricing: { model: 'flat', currency: 'TWD', baseFee: '100' },
      meter: { eventType: 'none', aggregation: 'count', unit: 'times' },
    },
    admin,
  );
  const made: Customer[] = [];
  for (let index = 0; index < customers; index++) {
    const { user } = await api<{ user: { organizationId: string } }>(console, 'POST', '/user/register', {
      email: accountOf(round, index),
      name: 'Owner',
      password,
      organization: accountOf(round, index),
      agreeToTerms: true,
    });
    await api(
      console,
      'POST',
      '/admin/subscriptions',
      { organizationId: user.organizationId, serviceId, startedAt: '2009-12-31T16:00:00Z' },
      admin,
    );
    const token = await signIn(console, accountOf(round, index));
    const { id } = await api(
      console,
      'POST',
      '/billing/top-ups',
      { amount: { amount: prepaid.toString(), currency: 'TWD' } },
      token,
    );
    await api(console, 'POST', `/admin/payments/${id}/confirm`, {}, admin);
    made.push({ token, organizationId: user.organizationId });
  }
  return made;
}

/** Returns the payment’s id, the same for the same key; undefined when the outcome is unknown. */
async function pay({ address }: ProcessConsole, { token, billId, key }: Wanted): Promise<string | undefined> {
  const response = await fetch(`${address}/api/bills/${billId}/payments`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, 'idempotency-key': key },
    body: JSON.stringify({ method: 'balance' }),
  }).catch(() => undefined);
  const answer = (await response?.json().catch(() => undefined)) as
    | { data: { id: string } | null }
    | undefined;
  return response?.status === 201 ? answer?.data?.id : undefined;
}

async function queryOne<T>(dataDir: string, statement: string): Promise<T> {
  const running = await findRunningPostgres(dataDir);
  if (!running) throw new Error('the database is not running');
  const client = new pg.Client(running.connection);
  await client.connect();
  try {
    return (await client.query(statement)).rows[0] as T;
  } finally {
    await client.end();
    await running.release();
  }
}

it(
  'F3, F5: each bill is paid once, whatever was killed between request and response',
  async () => {
    const dataDir = makeDataDir();
    let console = await startProcess(dataDir);
    await setUpProcess(console);
    let people: Customer[] = [];
    let paid = 0;
    for (let round = 0; round < rounds; round++) {
      const admin = await signIn(console);
      if (round % roundsOfSome === 0) people = await makeCustomers(console, admin, round);
      for (const month of monthsOf(round))
        await api(console, 'POST', '/admin/billing/close', { month }, admin);
      const tokens = await Promise.all(people.map((_, index) => signIn(console, accountOf(round, index))));
      // The hourly schedule closes past months; those bills are not part of this test.
      const wanted = (
        await Promise.all(
          tokens.map(async (token) =>
            (
              await api<{ items: { id: string; month: string }[] }>(
                console,
                'GET',
                '/bills?state=open&limit=200',
                undefined,
                token,
              )
            ).items
              .filter(({ month }) => monthsOf(round).includes(month))
              .map((bill): Wanted => ({ token, billId: bill.id, key: `${round}-${bill.id}` })),
          ),
        )
      ).flat();
      expect(wanted).toHaveLength(customers * billsEach);
      const heard = new Map<string, string>();
      const paying = wanted.map(async (one) => {
        const id = await pay(console, one);
        if (id !== undefined) heard.set(one.key, id);
      });
      await pause(randomInt(120));
      await (round % 2 === 0 ? killProcess : killItsDatabase)(console);
      await Promise.all(paying);
      console = await startProcess(dataDir);
      // All requests are repeated, answered or not: the response is the same as the first one.
      for (const one of wanted) {
        const id = await pay(console, one);
        expect(id, `${heard.size} of ${wanted.length} had heard`).toBeDefined();
        if (heard.has(one.key)) expect(id).toBe(heard.get(one.key));
      }
      paid += wanted.length;
      const found = await queryOne<Record<string, string>>(
        dataDir,
        `select (select count(*) from bill where state = 'paid')::text as paid, (select count(*) from payment where method = 'balance')::text as payments,
      (select count(*) from ledger_transaction where kind = 'payment')::text as booked, (select coalesce(sum(balance_minor), 0) - (select coalesce(sum(total_minor), 0) from bill where state <> 'paid') from ledger_account where kind = 'receivable')::text as owed, (select -sum(balance_minor) from ledger_account where kind = 'balance')::text as prepaid`,
      );
      expect(found).toEqual({
        paid: String(paid),
        payments: String(paid),
        booked: String(paid),
        owed: '0',
        prepaid: (
          prepaid * BigInt(customers) * BigInt(1 + Math.floor(round / roundsOfSome)) -
          fee * BigInt(paid)
        ).toString(),
      });
    }
  },
  180_000 + rounds * 20_000,
);
