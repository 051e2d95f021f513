// R-BILL-01: in any state of a subscription a change of plan or quantity, a cancellation, a pause and a renewal are
// rejected like their previews, and the fees are billed as previewed, to the last minor unit; as is a new subscription.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { money, type Currency } from '#kernel/money.ts';
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { dayMs, hourMs } from '#kernel/durations.ts';
import { monthOf } from '#kernel/time.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { identity } from '#features/access/identity/contract.ts';
import { insertOrganization } from '#features/access/identity/server/index.ts';
import { billing, type BillLine } from '#features/invoicing/billing/contract.ts';
import { payers } from '#features/invoicing/payers/contract.ts';
import { creditLimits } from '#features/receivables/credit-limits/contract.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { subscriptions, type FeePreview } from '#features/selling/subscriptions/contract.ts';
import {
  adminAccount,
  createTestConsole,
  setUp,
  signIn,
  userPassword,
  type TestConsole,
} from '../support/console.ts';
import { unschedule } from '../support/jobs.ts';

let console: TestConsole;
let admin: string;
let count = 0;
beforeAll(async () => {
  console = await createTestConsole(new Date('2027-01-01T04:00:00Z'));
  admin = await setUp(console);
  // The clock goes back for each history; an hourly job of an earlier one would close months of the next.
  for (const name of ['close-month', 'credit-limits.sweep', 'credit-limits.check'])
    await unschedule(console.app, name);
});
afterAll(() => console.end());

const aPlan = fc.record({
  fee: fc.constantFrom('0', '1', '310', '999', '98765'),
  /** More decimals than the currency has on bills. */
  fraction: fc.constantFrom('', '', '.5', '.333333'),
  billingCycle: fc.constantFrom('monthly' as const, 'monthly' as const, 'yearly' as const),
  proration: fc.constantFrom('day' as const, 'second' as const),
});
/** A rate card: fees of any cycle, some for whole periods only, and one-time charges. */
const aCard = fc.record({
  seat: fc.constantFrom('0', '7', '99.5', '0.333333'),
  cycle: fc.constantFrom(
    'week' as const,
    'month' as const,
    'month' as const,
    'quarter' as const,
    'year' as const,
  ),
  prorate: fc.constantFrom('day' as const, 'day' as const, 'second' as const, 'none' as const),
  anchor: fc.constantFrom('calendar' as const, 'anniversary' as const),
  timing: fc.constantFrom('advance' as const, 'arrears' as const),
  setup: fc.constantFrom(null, '500'),
});
const days = fc.integer({ min: 1, max: 45 });
const aState = fc.record({
  /** Both plans have rate cards: a change between a card and a single price is a change of meters. */
  cards: fc.option(fc.tuple(aCard, aCard)),
  currency: fc.constantFrom<Currency>('TWD', 'USD', 'KWD', 'JPY'),
  // Days in Taipei: an ordinary one, the last of a month, the leap day, the last and the first of a year.
  begin: fc.constantFrom('2027-03-10', '2027-01-31', '2028-02-29', '2027-12-31', '2028-01-01', '2028-01-30'),
  hour: fc.constantFrom(0, 9, 23.9999),
  from: aPlan,
  to: aPlan,
  trialDays: fc.constantFrom(0, 0, 0, 20, 40),
  autoRenew: fc.constantFrom(true, true, true, false),
  quantity: fc.constantFrom('1', '1', '2.5', '0.001'),
  before: fc.array(
    fc.oneof(
      fc.record({ do: fc.constantFrom('pause', 'cancel', 'take_back', 'resume', 'wait'), days }),
      fc.record({ do: fc.constant('plan_pause'), days, for: days }),
      fc.record({ do: fc.constant('change'), days, quantity: fc.constantFrom('1', '2', '3.5') }),
    ),
    { maxLength: 3 },
  ),
  wait: fc.integer({ min: 0, max: 40 }),
  wanted: fc.record({
    isOtherPlan: fc.constantFrom(true, true, false),
    quantity: fc.constantFrom(undefined, undefined, '1', '2', '7.125'),
    when: fc.constantFrom(undefined, undefined, 'now' as const, 'end' as const),
  }),
  /** Minor units of a payer’s credit limit. */
  limit: fc.constantFrom(null, null, null, 1n, 40_000n, 90_000_000n),
  isPaidByOther: fc.constantFrom(false, false, true),
  /** How long the preview stays open, in ms. */
  looks: fc.constantFrom(0, 0, 300_000),
});
type State = typeof aState extends fc.Arbitrary<infer T> ? T : never;
const aWholeCard = {
  seat: '7',
  cycle: 'month',
  anchor: 'calendar',
  timing: 'advance',
  setup: null,
} as const;
const plain = { fee: '0', fraction: '', billingCycle: 'monthly', proration: 'day' } as const;
const toWholeMonths: State = {
  cards: [
    { ...aWholeCard, prorate: 'day' },
    { ...aWholeCard, seat: '99.5', prorate: 'none' },
  ],
  currency: 'TWD',
  begin: '2027-03-10',
  hour: 9,
  from: plain,
  to: plain,
  trialDays: 0,
  autoRenew: true,
  quantity: '1',
  before: [],
  wait: 5,
  wanted: { isOtherPlan: true, quantity: undefined, when: undefined },
  limit: null,
  isPaidByOther: false,
  looks: 0,
};

function chargesOf({
  seat,
  cycle,
  prorate,
  anchor,
  timing,
  setup,
}: typeof aCard extends fc.Arbitrary<infer T> ? T : never) {
  const named = (text: string) => ({ zhTW: text, enUS: text });
  return [
    {
      key: 'seats',
      name: named('Seats'),
      kind: 'recurring' as const,
      model: 'per_unit' as const,
      unitPrice: seat,
      cycle,
      prorate,
      anchor,
      timing,
    },
    ...(setup === null
      ? []
      : [
          {
            key: 'setup',
            name: named('Setup'),
            kind: 'one_time' as const,
            model: 'flat' as const,
            amount: setup,
          },
        ]),
  ];
}

async function organization(): Promise<{ id: Id<'org'>; account: string }> {
  const account = `owner${++count}@previews.example`;
  const { id } = await unitOfWork(console.app, { actor: { kind: 'system', name: 'test' } }, (ctx) =>
    insertOrganization(ctx, {
      name: `Org ${count}`,
      timeZone: 'Asia/Taipei',
      language: 'zhTW',
      externalRef: null,
    }),
  );
  await console.ok(
    identity.createUser,
    { account, name: account, role: 'User', organizationId: id, password: userPassword },
    { token: admin },
  );
  return { id, account };
}

/** The codes of an error with their fields; undefined for success. */
const refusalOf = ({ status, envelope }: Awaited<ReturnType<TestConsole['call']>>) =>
  status < 400 ? undefined : [envelope.code, envelope.errors?.map(({ field, code }) => `${field} ${code}`)];

const feesOf = (
  lines: readonly Pick<
    BillLine,
    'kind' | 'serviceName' | 'charge' | 'quantity' | 'unit' | 'unitPrice' | 'exact' | 'total'
  >[],
) =>
  lines.map(({ kind, serviceName, charge, quantity, unit, unitPrice, exact, total }) => [
    kind,
    serviceName,
    charge?.key,
    quantity,
    unit,
    unitPrice,
    exact,
    total.minor,
  ]);

/** The fees of the only subscription on a month’s bill. */
async function billedFees(payerId: Id<'org'>, month: BillingMonth) {
  const closed = await console.ok(billing.closeMonth, { month }, { token: admin });
  expect(closed).toMatchObject({ parked: 0, stopped: false });
  const { items } = await console.ok(
    billing.adminListBills,
    { month, organizationId: payerId },
    { token: admin },
  );
  expect(items.length).toBeLessThan(2);
  if (!items[0]) return [];
  const { lines } = await console.ok(billing.adminGetBill, { billId: items[0].id }, { token: admin });
  return feesOf(lines.filter(({ kind }) => ['base_fee', 'credit', 'one_time'].includes(kind)));
}

let tried = { refused: 0, billed: 0 };

/** Leads a subscription to a state. */
async function arrive(state: State) {
  const { currency, from, to, trialDays, autoRenew, quantity } = state;
  let now = new Date(Date.parse(`${state.begin}T00:00:00+08:00`) + state.hour * hourMs);
  let token = '';
  const moveTo = async (moment: Date, account: string): Promise<void> => {
    now = moment;
    console.clock.set(now);
    admin = await signIn(console, adminAccount.account, adminAccount.password);
    token = await signIn(console, account);
  };
  console.clock.set(now);
  admin = await signIn(console, adminAccount.account, adminAccount.password);
  const one = await organization();
  const payer = state.isPaidByOther ? await organization() : one;
  await moveTo(now, one.account);
  const family = `family ${++count}`;
  const service = async (place: 0 | 1) => {
    const plan = place === 0 ? from : to;
    const card = state.cards?.[place];
    return (
      await console.ok(
        catalogue.createService,
        {
          name: `Plan ${++count}`,
          type: 'API',
          category: 'Own',
          family,
          ...(card
            ? { currency, charges: chargesOf(card) }
            : {
                pricing: { model: 'flat', currency, baseFee: plan.fee + plan.fraction },
                meter: { eventType: 'call', aggregation: 'sum', unit: 'calls' },
                billingCycle: plan.billingCycle,
                proration: plan.proration,
              }),
          ...(place === 0 && { trialDays }),
        },
        { token: admin },
      )
    ).id;
  };
  const [first, other] = [await service(0), await service(1)];
  if (payer !== one)
    await console.ok(
      payers.setPayer,
      {
        organizationId: one.id,
        payerId: payer.id,
        from: new Date(now.getTime() + 8 * hourMs).toISOString().slice(0, 7) as BillingMonth,
      },
      { token: admin },
    );
  const order = { serviceId: first, quantity, autoRenew };
  const ordered = await console.ok(subscriptions.previewSubscribe, order, { token });
  const { id: subscriptionId } = await console.ok(subscriptions.subscribe, order, { token });
  for (const step of state.before) {
    await moveTo(new Date(now.getTime() + step.days * dayMs), one.account);
    // Actions that the state does not allow are skipped.
    if (step.do === 'pause') await console.call(subscriptions.stop, { subscriptionId }, { token });
    if (step.do === 'plan_pause' && 'for' in step)
      await console.call(
        subscriptions.stop,
        {
          subscriptionId,
          at: new Date(now.getTime() + 3 * dayMs),
          resumeAt: new Date(now.getTime() + (3 + step.for) * dayMs),
        },
        { token },
      );
    if (step.do === 'cancel')
      await console.call(subscriptions.cancel, { subscriptionId, when: 'end' }, { token });
    if (step.do === 'take_back' || step.do === 'resume')
      await console.call(subscriptions.start, { subscriptionId }, { token });
    if (step.do === 'change' && 'quantity' in step)
      await console.call(subscriptions.change, { subscriptionId, quantity: step.quantity }, { token });
  }
  // At least a second later: of two changes at one moment the later one has not been previewed.
  await moveTo(new Date(now.getTime() + state.wait * dayMs + 1000), one.account);
  if (state.limit !== null)
    await console.ok(
      creditLimits.setCreditLimit,
      { organizationId: payer.id, currency, amount: money(state.limit, currency) },
      { token: admin },
    );
  return { one, payer, subscriptionId, other, ordered, token, moveTo };
}

/** Closes the months of a preview, and compares their bills with it. */
async function expectBilled(
  { thisBill, nextBill }: Pick<FeePreview, 'thisBill' | 'nextBill'>,
  { one, payer, moveTo }: Pick<Awaited<ReturnType<typeof arrive>>, 'one' | 'payer' | 'moveTo'>,
): Promise<void> {
  const after = new Date(`${nextBill.month}-05T00:00:00Z`);
  after.setUTCMonth(after.getUTCMonth() + 1);
  await moveTo(after, one.account);
  for (const month of [thisBill, nextBill])
    expect([month.month, await billedFees(payer.id, month.month)]).toEqual([
      month.month,
      feesOf(month.lines),
    ]);
}

async function live(state: State): Promise<void> {
  const arrived = await arrive(state);
  const { subscriptionId, other, token } = arrived;
  const { isOtherPlan, ...wanted } = state.wanted;
  const input = {
    subscriptionId,
    ...(isOtherPlan && { serviceId: other }),
    ...(wanted.quantity !== undefined && { quantity: wanted.quantity }),
    ...(wanted.when !== undefined && { when: wanted.when }),
  };
  const preview = await console.call(subscriptions.previewChange, input, { token });
  const isNow = preview.status < 400 && preview.data.isNow;
  if (isNow) console.clock.advance(state.looks);
  const done = await console.call(
    subscriptions.change,
    {
      ...input,
      ...(preview.status < 400 && {
        version: preview.data.version,
        ...(isNow && { previewedAt: preview.data.at }),
      }),
    },
    { token },
  );
  // Midnight, or a scheduled change, came in between: the preview is outdated, and nothing is changed.
  if (isNow && state.looks > 0 && done.envelope.code === 'subscriptions.preview_over') return;
  expect(refusalOf(preview), 'refused alike').toEqual(refusalOf(done));
  if (done.status >= 400) {
    tried.refused++;
    return;
  }
  tried.billed++;
  await expectBilled(preview.data, arrived);
}

const anEnd = fc.record({
  do: fc.constantFrom<'subscribe' | 'cancel' | 'stop' | 'renew'>('subscribe', 'cancel', 'cancel', 'stop'),
  when: fc.constantFrom('now' as const, 'end' as const),
  /** Days until a pause begins, and that it lasts. */
  in: fc.constantFrom(0, 0, 5, 40),
  for: fc.constantFrom(null, 3, 30),
  autoRenew: fc.constant<true | undefined>(undefined),
});
type End = typeof anEnd extends fc.Arbitrary<infer T> ? T : never;

async function end(state: State, wanted: End): Promise<void> {
  const arrived = await arrive(
    wanted.do === 'subscribe' ? { ...state, before: [], wait: 0, limit: null } : state,
  );
  const { subscriptionId, ordered, token } = arrived;
  if (wanted.do === 'subscribe') {
    tried.billed++;
    return expectBilled(ordered, arrived);
  }
  const at = new Date(console.clock.now().getTime() + wanted.in * dayMs);
  const span = {
    subscriptionId,
    ...(wanted.in > 0 && { at }),
    ...(wanted.for !== null && { resumeAt: new Date(at.getTime() + wanted.for * dayMs) }),
  };
  const ending = { subscriptionId, when: wanted.when };
  const { endsAt } = await console.ok(subscriptions.getSubscription, { subscriptionId }, { token });
  const renewal = { subscriptionId, autoRenew: wanted.autoRenew };
  const [preview, done] =
    wanted.do === 'renew'
      ? [
          await console.call(subscriptions.previewRenew, renewal, { token }),
          await console.call(subscriptions.renew, renewal, { token }),
        ]
      : wanted.do === 'cancel'
        ? [
            await console.call(subscriptions.previewCancel, ending, { token }),
            await console.call(subscriptions.cancel, ending, { token }),
          ]
        : [
            await console.call(subscriptions.previewStop, span, { token }),
            await console.call(subscriptions.stop, span, { token }),
          ];
  expect(refusalOf(preview), 'refused alike').toEqual(refusalOf(done));
  if (done.status >= 400) {
    tried.refused++;
    return;
  }
  tried.billed++;
  // The first month with other fees: the one in which the next term begins.
  if (wanted.do === 'renew')
    expect(preview.data.thisBill.month).toBe(
      monthOf(endsAt && endsAt > console.clock.now() ? endsAt : console.clock.now(), 'Asia/Taipei'),
    );
  await expectBilled(preview.data, arrived);
}

describe('R-BILL-01 R-CAT-04 a subscription', () => {
  it(
    'a change of plan or quantity is rejected like its preview, and billed as previewed, from any state',
    { timeout: 600_000 },
    async () => {
      tried = { refused: 0, billed: 0 };
      await fc.assert(fc.asyncProperty(aState, live), {
        numRuns: Number.parseInt(process.env['HISTORY_RUNS'] ?? '25', 10),
        endOnFailure: true,
        // Changing to a plan charged by whole months in mid-month of the same charge would make the month
        // impossible to close.
        examples: [[toWholeMonths]],
      });
      expect(tried.refused).toBeGreaterThan(0);
      expect(tried.billed).toBeGreaterThan(0);
    },
  );

  it('begins, is paused and ends as previewed, from any state', { timeout: 600_000 }, async () => {
    tried = { refused: 0, billed: 0 };
    await fc.assert(fc.asyncProperty(aState, anEnd, end), {
      numRuns: Number.parseInt(process.env['HISTORY_RUNS'] ?? '12', 10),
      endOnFailure: true,
    });
    expect(tried.billed).toBeGreaterThan(0);
  });

  it('is renewed as previewed, before and after its term ended', { timeout: 600_000 }, async () => {
    tried = { refused: 0, billed: 0 };
    const renewal = { do: 'renew', when: 'now', in: 0, for: null } as const;
    await fc.assert(
      fc.asyncProperty(aState, fc.constantFrom(undefined, true as const), (state, autoRenew) =>
        end({ ...state, autoRenew: false }, { ...renewal, autoRenew }),
      ),
      { numRuns: Number.parseInt(process.env['HISTORY_RUNS'] ?? '6', 10), endOnFailure: true },
    );
    expect(tried.billed).toBeGreaterThan(0);
  });
});
