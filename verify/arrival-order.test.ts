// Events that are repeated, out of order, late, early and canceled: in any order of arrival the bills are the
// same and no event is lost (F11, I6).
import type pg from 'pg';
import { beforeAll, expect, it } from 'vitest';
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { billing, type BillDetail, type BillLine } from '../src/features/invoicing/billing/contract.ts';
import { catalogue, type Pricing } from '../src/features/selling/catalogue/contract.ts';
import { identity } from '../src/features/access/identity/contract.ts';
import { subscriptions } from '../src/features/selling/subscriptions/contract.ts';
import { usage } from '../src/features/metering/usage/contract.ts';
import {
  randomHistory,
  costOf,
  firstLate,
  hourMs,
  lastStage,
  monthName,
  monthStart,
  months,
  numbers,
  plans,
  quantitiesAfter,
  quantityText,
  shuffled,
  stageAt,
  type History,
  type Delivery,
  type Plan,
} from './test-history.ts';
import { proven } from '../tests/support/bill-proofs.ts';
import {
  adminAccount,
  createTestConsole,
  registerUser,
  setUp,
  signIn,
  type TestConsole,
} from '../tests/support/console.ts';
import { roundsOr } from '../tests/support/fault-rounds.ts';
import { taxOf } from '../tests/support/model.ts';
import { checkerOf, foundBy } from './test-found.ts';

// `npm run faults` sends 10,000 events in each of its rounds, up to a million; an ordinary run sends few.
const rounds = roundsOr(0);
const wanted = rounds > 0 ? Math.min(rounds * 10_000, 1_000_000) : 2_000;
const seed = Number.parseInt(process.env['FAULT_SEED'] ?? '11', 10);
/** Each is sent nearly twice, and there are two organizations. */
const history = randomHistory(Math.round(wanted / 3.65), seed);

let console: TestConsole;
let admin: string;
let key: string;
let client: pg.Client;

beforeAll(async () => {
  console = await createTestConsole(new Date(monthStart(0)));
  admin = await setUp(console);
  key = (await console.ok(identity.createApiKey, { name: 'gateway' }, { token: admin })).secret;
  client = await checkerOf(console);
});

async function moveTo(moment: number): Promise<void> {
  console.clock.set(new Date(moment));
  admin = await signIn(console, adminAccount.account, adminAccount.password);
}

function pricingOf({ price }: Plan): Pricing {
  const common = { currency: 'TWD', baseFee: '100' } as const;
  switch (price.model) {
    case 'flat':
      return { model: 'flat', ...common };
    case 'per_unit':
      return {
        model: 'per_unit',
        ...common,
        unitPrice: price.price,
        ...(price.included !== undefined && { included: price.included.toString() }),
      };
    case 'package':
      return {
        model: 'package',
        ...common,
        packageSize: price.size.toString(),
        packagePrice: price.price,
        freeUnits: price.free.toString(),
      };
    default:
      return {
        model: price.model,
        ...common,
        tiers: price.steps.map((step) => ({
          upTo: step.upTo?.toString() ?? null,
          unitPrice: step.price,
          ...(step.fee !== undefined && { flatFee: step.fee }),
        })),
      };
  }
}

type Answers = { accepted: number; duplicates: number; sent: number; readonly refused: Map<string, number> };
type Customer = {
  readonly email: string;
  readonly subscriptionIds: readonly Id<'sub'>[];
  readonly answers: Answers;
};

async function services(): Promise<readonly Id<'svc'>[]> {
  const ids: Id<'svc'>[] = [];
  for (const plan of plans) {
    const meter = {
      eventType: 'use',
      aggregation: plan.aggregation,
      unit: 'units',
      ...(plan.aggregation === 'unique_count' && { property: 'who' }),
    };
    ids.push(
      (
        await console.ok(
          catalogue.createService,
          { name: plan.name, type: 'API', category: 'Own', pricing: pricingOf(plan), meter },
          { token: admin },
        )
      ).id,
    );
  }
  return ids;
}
async function customer(name: string, serviceIds: readonly Id<'svc'>[]): Promise<Customer> {
  const email = `owner@${name}.example`;
  const { organizationId } = await registerUser(console, email, name);
  const subscriptionIds: Id<'sub'>[] = [];
  for (const serviceId of serviceIds)
    subscriptionIds.push(
      (
        await console.ok(
          subscriptions.adminSubscribe,
          { organizationId: organizationId as Id<'org'>, serviceId, startedAt: new Date(monthStart(0)) },
          { token: admin },
        )
      ).id,
    );
  return { email, subscriptionIds, answers: { accepted: 0, duplicates: 0, sent: 0, refused: new Map() } };
}

function wireOf({ email, subscriptionIds }: Customer, { index, what }: Delivery): object {
  const event = history.events[index];
  if (!event) throw new Error(`no event ${index}`);
  const id = `e${String(index).padStart(7, '0')}`;
  const common = {
    specversion: '1.0',
    source: email,
    subject: subscriptionIds[event.plan],
    time: new Date(event.time).toISOString(),
  };
  if (what === 'void') return { ...common, id: `v${id}`, type: 'use.void', data: { id } };
  return {
    ...common,
    id,
    type: 'use',
    data: {
      value: `${Math.floor(event.value / 1000)}.${String(event.value % 1000).padStart(3, '0')}`,
      who: `w${event.who}`,
    },
  };
}

/**
 * Sends a batch and returns what must be sent again: corrections that arrived before the events they take
 * back.
 */
async function send(to: Customer, batch: readonly Delivery[]): Promise<Delivery[]> {
  const { accepted, duplicates, rejected } = await console.ok(
    usage.ingest,
    {},
    {
      token: key,
      body: JSON.stringify(batch.map((each) => wireOf(to, each))),
      headers: { 'content-type': 'application/cloudevents-batch+json' },
    },
  );
  const { answers } = to;
  answers.accepted += accepted;
  answers.duplicates += duplicates;
  answers.sent += batch.length;
  expect(accepted + duplicates + rejected.length).toBe(batch.length);
  return rejected.flatMap(({ index, code }) => {
    const delivery = batch[index];
    const known = `${delivery?.what ?? ''} ${code}`;
    answers.refused.set(known, (answers.refused.get(known) ?? 0) + 1);
    return delivery?.what === 'void' ? [delivery] : [];
  });
}

/**
 * How one organization’s events are sent: their order, the sizes of batches, and the number of concurrent
 * batches.
 */
type Manner = {
  readonly inOrder: (stage: readonly Delivery[]) => Delivery[];
  readonly size: () => number;
  readonly atOnce: number;
};
const timeOf = ({ index }: Delivery): number => history.events[index]?.time ?? 0;
const [orderly, wild, sizes] = [numbers(seed + 1), numbers(seed + 2), numbers(seed + 3)];
/**
 * In order of time with a fifth out of order; and in random order, in batches of any size, several at once.
 */
const manners: readonly [Manner, Manner] = [
  {
    inOrder: (stage) =>
      shuffled(
        stage.toSorted((a, b) => timeOf(a) - timeOf(b)),
        0.2,
        orderly,
      ),
    size: () => 500,
    atOnce: 1,
  },
  {
    inOrder: (stage) => shuffled(stage, 1, wild),
    size: () => 1 + Math.floor(sizes() * (rounds > 0 ? 900 : 150)),
    atOnce: 4,
  },
];

async function sendStage(
  to: Customer,
  { inOrder, size, atOnce }: Manner,
  stage: readonly Delivery[],
): Promise<void> {
  let left = inOrder(stage);
  while (left.length > 0) {
    const again: Delivery[] = [];
    for (let from = 0; from < left.length;) {
      const batches = Array.from({ length: atOnce }, () => {
        const batch = left.slice(from, from + size());
        from += batch.length;
        return batch;
      });
      again.push(
        ...(
          await Promise.all(batches.filter((batch) => batch.length > 0).map((batch) => send(to, batch)))
        ).flat(),
      );
    }
    // A correction without its event is sent again after all events of its time.
    expect(again.length).toBeLessThan(left.length);
    left = again;
  }
}

async function billsOf({ email }: Customer): Promise<BillDetail[]> {
  const token = await signIn(console, email);
  const { items } = await console.ok(billing.listBills, { limit: 50, sort: 'issuedAt' }, { token });
  return Promise.all(
    items
      .toSorted((a, b) => (a.month < b.month ? -1 : 1))
      .map(({ id: billId }) => console.ok(billing.getBill, { billId }, { token })),
  );
}
const lineText = (line: BillLine): string =>
  `${line.serviceName}: ${line.kind} ${line.forMonth ?? ''} ${line.quantity} = ${line.exact} → ${line.total.minor}`;
/** A bill without what differs between organizations: customer and number. */
const plain = (bill: BillDetail): unknown[] => [
  bill.month,
  bill.net.minor,
  bill.tax.minor,
  bill.total.minor,
  bill.lines.map(lineText).toSorted(),
];
const isOfUsage = (line: BillLine): boolean => line.kind === 'usage' || line.kind === 'adjustment';

/**
 * What lines charged, by `plan month`: usage that arrived in time on its month’s bill, late usage on later
 * bills.
 */
function charged(
  bills: readonly { readonly month: string; readonly lines: readonly BillLine[] }[],
): Map<string, { quantity: string; minor: bigint; late: number }> {
  const found = new Map<string, { quantity: string; minor: bigint; late: number }>();
  for (const bill of bills) {
    for (const line of bill.lines.filter(isOfUsage)) {
      expect(line.forMonth === undefined).toBe(line.kind === 'usage');
      expect(line.forMonth === undefined || line.forMonth < bill.month).toBe(true);
      const place = `${plans.findIndex((plan) => plan.name === line.serviceName)} ${months.find((month) => monthName(month) === (line.forMonth ?? bill.month)) ?? ''}`;
      const so = found.get(place) ?? { quantity: '0', minor: 0n, late: 0 };
      found.set(place, {
        quantity: line.kind === 'usage' ? line.quantity : so.quantity,
        minor: so.minor + line.total.minor,
        late: so.late + (line.kind === 'adjustment' ? 1 : 0),
      });
    }
  }
  return found;
}

/**
 * Checks to the dollar that the bills charge the usage known at the end of a stage; `upTo`: the months
 * already billed.
 */
function expectCharged(
  bills: readonly { readonly month: string; readonly lines: readonly BillLine[] }[],
  stage: number,
  now: number,
  upTo: number,
): void {
  const quantities = quantitiesAfter(history, stage, now);
  const found = charged(bills);
  for (const [plan, each] of plans.entries()) {
    for (const month of months.filter((one) => one <= upTo)) {
      const place = `${plan} ${month}`;
      expect(`${each.name} ${monthName(month)}: ${found.get(place)?.minor ?? 0n}`).toBe(
        `${each.name} ${monthName(month)}: ${costOf(each, quantities.get(place) ?? 0n)}`,
      );
    }
  }
  // The month’s own line has the quantity that arrived in time.
  const last = bills.at(-1);
  for (const line of last?.lines.filter(({ kind }) => kind === 'usage') ?? []) {
    const plan = plans.findIndex(({ name }) => name === line.serviceName);
    expect(`${line.serviceName} ${line.quantity}`).toBe(
      `${line.serviceName} ${quantityText(quantities.get(`${plan} ${upTo}`) ?? 0n)}`,
    );
  }
}

/** Every event and every correction was accepted once; all others were repeats or rejected with a reason. */
function expectEachOnce({ answers }: Customer, { events, stages }: History): void {
  const early = stages.flat().filter(({ what }) => what === 'early').length;
  const unknown = answers.refused.get('void usage.void_unknown') ?? 0;
  expect(early).toBeGreaterThan(0);
  expect([...answers.refused].filter(([reason]) => reason !== 'void usage.void_unknown')).toEqual([
    ['early usage.time_in_future', early],
  ]);
  expect(answers.accepted).toBe(events.length + events.filter(({ voidStage }) => voidStage !== null).length);
  expect(answers.duplicates).toBe(answers.sent - answers.accepted - early - unknown);
}

it(
  `F11, R-USE-03, R-BILL-05: about ${wanted} repeated, out-of-order, late, early and canceled events give the same, hand-computed bills in any order (seed ${seed})`,
  async () => {
    const ids = await services();
    const both = [await customer('one', ids), await customer('two', ids)] as const;
    const close = async (month: number): Promise<void> => {
      await moveTo(monthStart(month + 1) + 5 * 24 * hourMs);
      expect(
        await console.ok(billing.closeMonth, { month: monthName(month) as BillingMonth }, { token: admin }),
      ).toMatchObject({ issued: 2, parked: 0 });
      const [bills, others] = [await billsOf(both[0]), await billsOf(both[1])];
      expect(others.map(plain)).toEqual(bills.map(plain));
      expect(bills.map((bill) => bill.month)).toEqual(months.filter((one) => one <= month).map(monthName));
      for (const bill of bills) {
        expect(bill.net.minor).toBe(bill.lines.reduce((sum, line) => sum + line.total.minor, 0n));
        expect(bill.tax.minor).toBe(taxOf(bill.net.minor));
        expect(bill.lines.filter((line) => line.kind === 'base_fee').map((line) => line.total.minor)).toEqual(
          plans.map(() => 100n),
        );
      }
      // Computed independently, only from events and prices, the result is the same.
      const token = await signIn(console, both[0].email);
      for (const bill of bills) {
        const { differing, left } = await proven(console, bill.id, token);
        expect(differing).toEqual([]);
        expect(left.filter((text) => !/average over time|adjustment/.test(text))).toEqual([]);
      }
      const lastDelivered = Math.min(lastStage, firstLate(month) - 1);
      expectCharged(bills, lastDelivered, console.clock.now().getTime(), month);
    };
    for (const [stage, deliveries] of history.stages.entries()) {
      await moveTo(stageAt(stage));
      for (const [index, to] of both.entries())
        await sendStage(to, index === 0 ? manners[0] : manners[1], deliveries);
      if (stage % 2 === 1) await close((stage - 1) / 2);
    }
    for (const to of both) expectEachOnce(to, history);
    expect(both[0].answers.sent + both[1].answers.sent).toBeGreaterThan(wanted * 0.95);
    // What is not billed yet is on the running month’s bill; with it every event is charged.
    const now = console.clock.now().getTime();
    for (const to of both) {
      const running = await console.ok(billing.currentBill, {}, { token: await signIn(console, to.email) });
      expectCharged(
        [...(await billsOf(to)), ...running.bills.map(({ lines }) => ({ month: running.month, lines }))],
        lastStage,
        now,
        3,
      );
    }
    expect(await foundBy(client)).toEqual([]);
    await close(3);
    const late = [...charged(await billsOf(both[0])).values()].reduce((sum, each) => sum + each.late, 0);
    expect(late).toBeGreaterThan(plans.length);
    expect(await foundBy(client)).toEqual([]);
  },
  120_000 + wanted,
);
