// Bills that replace void ones: however late usage arrived and wherever it was billed, all bills add up to
// the cost of the months.
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { BillingMonth } from '#kernel/shape.ts';
import { billing, type Bill, type BillDetail } from '#features/invoicing/billing/contract.ts';
import { credits, type CreditAsk } from '#features/invoicing/credits/contract.ts';
import {
  at,
  balanceOf,
  billOf,
  bills,
  close,
  credit,
  customer,
  expectSoundBooks,
  fee,
  moveTo,
  november,
  october,
  pay,
  september,
  startBilling,
  state,
  topUp,
  twd,
  use,
  type Customer,
} from '../support/corrections.ts';

const december = '2024-12' as BillingMonth;
const january = '2025-01' as BillingMonth;
const reissue = (bill: { readonly id: Bill['id'] }, reason?: string) =>
  at.console.call(
    credits.reissueBill,
    { billId: bill.id, ...(reason !== undefined && { reason }) },
    { token: at.admin },
  );
const voidIt = (bill: Bill) =>
  at.console.ok(credits.voidBill, { billId: bill.id, reason: 'wrong' }, { token: at.admin });
const lineTexts = (bill: BillDetail): string[] =>
  bill.lines.map(
    (line) =>
      `${line.kind}${line.forMonth === undefined ? '' : ` ${line.forMonth}`} ${line.quantity} = ${line.total.minor}`,
  );
/** The sum of a customer’s valid bills, without tax. */
async function standing(one: Customer, ...months: BillingMonth[]): Promise<bigint> {
  const all = (await Promise.all(months.map((month) => bills(one, month)))).flat();
  return all.filter((bill) => bill.state !== 'void').reduce((sum, bill) => sum + bill.net.minor, 0n);
}

let late: Customer, twice: Customer, carried: Customer, twoCurrencies: Customer;
const players: Customer[] = [];
const crowd: Customer[] = [];
// Registrations are limited to 20 a minute.
const runs = 10;

beforeAll(async () => {
  await startBilling();
  late = await customer(fee('100'));
  twice = await customer(fee('100'));
  carried = await customer(fee('100'));
  twoCurrencies = await customer(fee('100'), fee('7.5', 'USD'));
  for (let index = 0; index < runs; index++) players.push(await customer(fee('500'), fee('33'), fee('197')));
  for (let index = 0; index < 6; index++) crowd.push(await customer(fee('100')));
  await moveTo('2024-09-20T00:00:00Z');
  for (const one of [late, twice, carried, twoCurrencies, ...crowd])
    await use(one, 'in-time', '10', '2024-09-10T00:00:00Z');
  await moveTo('2024-10-05T00:00:00Z');
  await close(september);
  // This usage arrives late, so October’s bills adjust September.
  for (const one of [late, twice, carried]) await use(one, 'late', '5', '2024-09-12T00:00:00Z');
  await moveTo('2024-11-05T00:00:00Z');
  await close(october);
  for (const one of crowd) await use(one, 'late', '4', '2024-09-14T00:00:00Z');
});

describe('R-BILL-05: a bill that replaces a void one', () => {
  it('is planned again with all usage; what a later bill adjusted is settled by the next one', async () => {
    const first = await billOf(late);
    expect(lineTexts(first)).toEqual(['base_fee 1 = 100', 'usage 10 = 10']);
    expect(lineTexts(await billOf(late, october))).toEqual(['base_fee 1 = 100', 'adjustment 2024-09 5 = 5']);
    expect((await reissue(first)).envelope.code).toBe('credits.not_void');
    const preview = await at.console.ok(credits.previewReissue, { billId: first.id }, { token: at.admin });
    expect(preview).toMatchObject({
      void: { total: twd(116), toDue: twd(116) },
      previousTotal: twd(116),
      bill: { net: twd(115), tax: twd(6), total: twd(121) },
    });
    await voidIt(first);
    expect(await at.console.ok(credits.previewReissue, { billId: first.id }, { token: at.admin })).toEqual({
      ...preview,
      void: null,
    });
    const made = await Promise.all([reissue(first), reissue(first), reissue(first)]);
    expect(new Set(made.map(({ data }) => data.id)).size).toBe(1);
    const again = (await reissue(first)).data;
    expect([again.id, again.state, again.total]).toEqual([made[0]?.data.id, 'open', twd(121)]);
    expect(again.number).toMatch(/^B-202409-\d{6}$/);
    expect((await bills(late, september)).map((bill) => [bill.state, bill.number === again.number])).toEqual([
      ['void', false],
      ['open', true],
    ]);
    expect(lineTexts(await billOf(late))).toEqual(['base_fee 1 = 100', 'usage 15 = 15']);
    // Neither close bills the month again.
    expect(await close(september)).toMatchObject({ issued: 0, parked: 0 });
    await moveTo('2024-12-05T00:00:00Z');
    // Other bills are reissued while the close adjusts the same month.
    await Promise.all([
      close(november),
      ...(await Promise.all(crowd.map((each) => billOf(each)))).map((bill) => reissue(bill, 'at once')),
    ]);
    expect(lineTexts(await billOf(late, november))).toEqual([
      'base_fee 1 = 100',
      'adjustment 2024-09 -5 = -5',
    ]);
    expect(await standing(late, september, october, november)).toBe(315n);
    const history = await at.console.ok(credits.billHistory, { billId: first.id }, { token: late.token });
    expect([history.replacedBy?.number, history.replaces]).toEqual([again.number, null]);
    expect(
      (await at.console.ok(credits.billHistory, { billId: again.id }, { token: late.token })).replaces
        ?.number,
    ).toBe(first.number);
    await expectSoundBooks();
  });

  it('voided and replaced in one step, twice: usage that arrives in between is included once', async () => {
    const first = (await reissue(await billOf(twice), 'the wrong buyer')).data;
    await use(twice, 'later', '2', '2024-09-13T00:00:00Z');
    const second = (await reissue(first, 'again')).data;
    expect(lineTexts(await billOf(twice))).toEqual(['base_fee 1 = 100', 'usage 17 = 17']);
    expect((await bills(twice, september)).map((bill) => bill.state)).toEqual(['void', 'void', 'open']);
    expect((await reissue(first)).data.id).toBe(second.id);
    const rowsOf = async (format: 'csv' | 'focus', more: { state?: 'void' } = {}): Promise<number> => {
      const { body } = (await at.console.ok(
        billing.exportBills,
        { format, month: september, ...more },
        { token: twice.token },
      )) as unknown as { body: Uint8Array };
      return new TextDecoder().decode(body).trim().split('\r\n').length - 1;
    };
    // Two lines and the tax of each of three bills, and the reversal of two of them.
    expect([await rowsOf('csv'), await rowsOf('focus'), await rowsOf('focus', { state: 'void' })]).toEqual([
      15, 15, 6,
    ]);
    await moveTo('2025-01-05T00:00:00Z');
    await close(december);
    // In either order, all bills add up to the cost of the months.
    for (const one of crowd) expect(await standing(one, september, october, november, december)).toBe(414n);
    expect(await standing(twice, september, october, november, december)).toBe(417n);
    await expectSoundBooks();
  });

  it('takes over its adjustment of an earlier month, which until then is on no bill', async () => {
    const october1 = await billOf(carried, october);
    expect(lineTexts(october1)).toEqual(['base_fee 1 = 100', 'adjustment 2024-09 5 = 5']);
    await voidIt(october1);
    const preview = await at.console.ok(credits.previewReissue, { billId: october1.id }, { token: at.admin });
    expect(preview.bill?.lines.map((line) => [line.kind, line.total.minor])).toEqual([
      ['base_fee', 100n],
      ['adjustment', 5n],
    ]);
    // Not reissued: the next close settles the earlier month by itself.
    await moveTo('2025-02-05T00:00:00Z');
    await close(january);
    expect(lineTexts(await billOf(carried, january))).toEqual([
      'base_fee 1 = 100',
      'adjustment 2024-09 5 = 5',
    ]);
    // Only October is missing then, and is excluded.
    expect((await reissue(october1)).data.net).toEqual(twd(100));
    await moveTo('2025-03-05T00:00:00Z');
    await close('2025-02' as BillingMonth);
    expect(
      await standing(carried, september, october, november, december, january, '2025-02' as BillingMonth),
    ).toBe(615n);
    await expectSoundBooks();
  });

  it('gets the late usage of the void month; the bill in the other currency stays valid', async () => {
    const [tw, us] = (await bills(twoCurrencies, september)).toSorted((a, b) =>
      a.currency < b.currency ? -1 : 1,
    );
    if (!tw || !us) throw new Error('two bills');
    await voidIt(tw);
    await use(twoCurrencies, 'after-void', '3', '2024-09-15T00:00:00Z');
    await use(twoCurrencies, 'dollars', '1', '2024-09-15T00:00:00Z', {}, 1);
    await moveTo('2025-04-05T00:00:00Z');
    await close('2025-03' as BillingMonth);
    expect((await bills(twoCurrencies, '2025-03' as BillingMonth)).flatMap(lineTexts)).toEqual([
      'base_fee 1 = 100',
      'base_fee 1 = 750',
    ]);
    expect((await reissue(tw)).data.net).toEqual(twd(113));
    expect((await bills(twoCurrencies, september)).map((bill) => [bill.currency, bill.state])).toEqual(
      expect.arrayContaining([
        ['TWD', 'void'],
        ['TWD', 'open'],
        ['USD', 'open'],
      ]),
    );
    await moveTo('2025-05-05T00:00:00Z');
    await close('2025-04' as BillingMonth);
    expect((await bills(twoCurrencies, '2025-04' as BillingMonth)).flatMap(lineTexts).toSorted()).toEqual([
      'adjustment 2024-09 1 = 100',
      'base_fee 1 = 100',
      'base_fee 1 = 750',
    ]);
    await expectSoundBooks();
  });
});

type Step =
  | { readonly do: 'top_up' | 'pay'; readonly minor: bigint }
  | { readonly do: 'credit'; readonly what: CreditAsk }
  | { readonly do: 'void' | 'reissue' };
const aStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constantFrom('top_up' as const, 'pay' as const),
    minor: fc.bigInt({ min: 1n, max: 900n }),
  }),
  fc.record({
    do: fc.constantFrom('top_up' as const, 'pay' as const),
    minor: fc.bigInt({ min: 1n, max: 900n }),
  }),
  fc.record({
    do: fc.constant('credit' as const),
    what: fc.oneof(
      fc.record({ kind: fc.constant('amount' as const), net: fc.bigInt({ min: 1n, max: 400n }).map(twd) }),
      fc.record({
        kind: fc.constant('percent' as const),
        percent: fc.integer({ min: 1, max: 100 }).map(String),
      }),
      fc.record({
        kind: fc.constant('lines' as const),
        lines: fc.uniqueArray(
          fc.record({
            lineId: fc.constantFrom('1', '2', '3'),
            net: fc.bigInt({ min: 1n, max: 300n }).map(twd),
          }),
          { minLength: 1, selector: (line) => line.lineId },
        ),
      }),
      fc.constant<CreditAsk>({ kind: 'rest' }),
    ),
  }),
  fc.record({ do: fc.constantFrom('void' as const, 'reissue' as const) }),
);

/** One bill and the balance, as plain numbers. */
type Model = {
  balance: bigint;
  total: bigint;
  paid: bigint;
  credited: bigint;
  toDue: bigint;
  isVoid: boolean;
};
const dueOf = (model: Model): bigint => (model.isVoid ? 0n : model.total - model.paid - model.toDue);
/** A withdrawn amount first reduces the amount due; the rest goes to the balance. */
function takeBack(model: Model, amount: bigint): void {
  const due = dueOf(model);
  const off = amount < due ? amount : due;
  model.toDue += off;
  model.balance += amount - off;
  model.credited += amount;
}

async function take(one: Customer, bill: Bill, step: Step, model: Model): Promise<Bill> {
  if (step.do === 'top_up') {
    await topUp(one, twd(step.minor));
    model.balance += step.minor;
    return bill;
  }
  if (step.do === 'pay') {
    const due = dueOf(model);
    const may = !model.isVoid && due > 0n && step.minor <= due && step.minor <= model.balance;
    expect((await pay(one, bill, twd(step.minor))).status === 201).toBe(may);
    if (may) {
      model.paid += step.minor;
      model.balance -= step.minor;
    }
    return bill;
  }
  if (step.do === 'credit') {
    const { status, data } = await credit(bill, step.what);
    const isPossible = !model.isVoid && model.credited < model.total;
    if (status !== 201) expect(isPossible && step.what.kind === 'rest').toBe(false);
    else {
      expect(isPossible && data.total.minor <= model.total - model.credited).toBe(true);
      takeBack(model, data.total.minor);
    }
    return bill;
  }
  if (step.do === 'void') {
    const { status } = await at.console.call(
      credits.voidBill,
      { billId: bill.id, reason: 'random' },
      { token: at.admin },
    );
    expect(status === 200).toBe(!model.isVoid);
    if (status !== 200) return bill;
    takeBack(model, model.total - model.credited);
    model.isVoid = true;
    return bill;
  }
  const wasVoid = model.isVoid;
  const { data } = await reissue(bill, wasVoid ? undefined : 'random');
  if (!wasVoid) takeBack(model, model.total - model.credited);
  Object.assign(model, { total: data.total.minor, paid: 0n, credited: 0n, toDue: 0n, isVoid: false });
  return data;
}

describe('random histories of a bill against a small model', () => {
  it('amounts due are right, and the balance is top-ups less payments plus refunds', async () => {
    let player = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(aStep, { minLength: 3, maxLength: 12 }), async (steps) => {
        const one = players[player++ % runs];
        if (!one) throw new Error('a player');
        let bill: Bill = await billOf(one, player > runs ? october : september);
        const model: Model = {
          balance: await balanceOf(one),
          total: bill.total.minor,
          paid: 0n,
          credited: 0n,
          toDue: 0n,
          isVoid: false,
        };
        for (const step of steps) {
          bill = await take(one, bill, step, model);
          const shown = await state(one, bill);
          expect(shown).toEqual([
            model.isVoid ? 'void' : dueOf(model) === 0n ? 'paid' : 'open',
            model.paid,
            model.isVoid ? shown[2] : model.toDue,
            dueOf(model),
          ]);
          expect(await balanceOf(one)).toBe(model.balance);
        }
        await expectSoundBooks();
      }),
      { numRuns: runs, endOnFailure: true },
    );
    expect(
      (await at.console.ok(billing.adminListBills, { state: 'void' }, { token: at.admin })).total,
    ).toBeGreaterThan(3);
  });
});
