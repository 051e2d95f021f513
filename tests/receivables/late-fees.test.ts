// Late fees: computed from the amount due on each day, charged once, on the customer’s next bill; the late
// bill is unchanged.
import { beforeAll, describe, expect, it } from 'vitest';
import { required } from '#kernel/assert.ts';
import { money } from '#kernel/money.ts';
import { addDays } from '#kernel/time.ts';
import type { LocalDay } from '#kernel/shape.ts';
import type { BillDetail } from '#features/invoicing/billing/contract.ts';
import { credits } from '#features/invoicing/credits/contract.ts';
import { oneOffs } from '#features/invoicing/one-offs/contract.ts';
import { notifications } from '#features/messaging/notifications/contract.ts';
import { dunning } from '#features/receivables/dunning/contract.ts';
import { initialSteps } from '#features/receivables/dunning/rules.ts';
import { dun } from '#features/receivables/dunning/server/index.ts';
import { lateFees, type CurrencyTerms, type LateFeeTerms } from '#features/receivables/late-fees/contract.ts';
import { chargeLateFees } from '#features/receivables/late-fees/server/index.ts';
import { plans } from '#features/receivables/payment-plans/contract.ts';
import { taxes } from '#features/invoicing/taxes/contract.ts';
import { unschedule } from '../support/jobs.ts';
import {
  at,
  billOf,
  close,
  credit,
  customer,
  expectSoundBooks,
  moveTo,
  net,
  november,
  october,
  pay,
  startBilling,
  topUp,
  twd,
  type Customer,
} from '../support/corrections.ts';

const flat = (baseFee: string) => ({ model: 'flat', currency: 'TWD', baseFee }) as const;
const asAdmin = () => ({ token: at.admin });
const row = (more: Partial<CurrencyTerms> = {}): CurrencyTerms => ({
  currency: 'TWD',
  percent: '10',
  fixed: null,
  minimum: twd(0),
  cap: null,
  ...more,
});
const save = (terms: LateFeeTerms | null) => at.console.ok(lateFees.saveLateFees, { terms }, asAdmin());
const percentTerms = (more: Partial<CurrencyTerms> = {}): LateFeeTerms => ({
  graceDays: 2,
  taxedAs: 'standard',
  currencies: [row(more)],
});
const noon = (day: string) => moveTo(`${day}T12:00:00+08:00`);
const run = () => chargeLateFees(at.console.app);
const feesOf = (bill: BillDetail) =>
  at.console.ok(lateFees.adminBillLateFees, { billId: bill.id }, asAdmin());
const amounts = async (bill: BillDetail): Promise<number[]> =>
  (await feesOf(bill)).fees.map(({ amount }) => Number(amount.minor)).toReversed();
const messages = async (one: Customer): Promise<string[]> =>
  (
    await at.console.ok(
      notifications.listNotifications,
      { limit: 100 },
      { token: one.token, language: 'enUS' },
    )
  ).items.map(({ message }) => message);

const names = [
  'late',
  'punctual',
  'part',
  'credited',
  'voided',
  'planned',
  'waived',
  'exempt',
  'twice',
] as const;
const made: Record<(typeof names)[number], Customer> = {} as never;
const bill: Record<(typeof names)[number], BillDetail> = {} as never;

// September is billed on 5 October at noon, due on 4 November; the days of grace are 5 and 6 November.
beforeAll(async () => {
  await startBilling();
  for (const name of ['late-fees', 'dunning', 'payment-plans']) await unschedule(at.console.app, name);
  for (const name of names) made[name] = await customer(flat('100000'));
  await noon('2024-10-05');
  await save(percentTerms());
  await close('2024-09' as never);
  for (const name of names) bill[name] = await billOf(made[name]);
  await topUp(made.punctual, twd(105_000));
});

describe('T-FEE: late fees', () => {
  it('are off by default, and invalid terms are reported at their fields', async () => {
    const wrong = await at.console.call(
      lateFees.saveLateFees,
      { terms: percentTerms({ percent: '101' }) },
      { ...asAdmin(), language: 'enUS' },
    );
    expect(wrong.status).toBe(400);
    expect(wrong.envelope).toMatchObject({
      code: 'latefees.percent_wrong',
      errors: [{ field: 'terms.currencies.0.percent' }],
    });
    expect((await at.console.ok(lateFees.getLateFees, {}, asAdmin())).terms).toEqual(percentTerms());
  });

  it('are not charged before a month is over, for older bills, or for payments in time', async () => {
    expect(bill.late.dueAt).toEqual(new Date('2024-11-04T04:00:00Z'));
    await pay(made.punctual, bill.punctual);
    await noon('2024-11-16');
    await run();
    expect(await amounts(bill.late)).toEqual([]);
    // 105,000 × 9 days × 10 % ÷ 365 = 258.9
    expect(await feesOf(bill.late)).toMatchObject({
      firstDay: '2024-11-07',
      running: twd(259),
      terms: row(),
    });
    expect((await feesOf(bill.punctual)).running).toEqual(twd(0));
  });

  it('follow payments, credits, voids and extensions in between', async () => {
    await noon('2024-11-16');
    await topUp(made.part, twd(65_000));
    await pay(made.part, bill.part, twd(65_000));
    await credit(bill.credited, net(100_000));
    await at.console.ok(credits.voidBill, { billId: bill.voided.id, reason: 'wrong' }, asAdmin());
    const on = (days: number) => addDays('2024-11-16' as LocalDay, days);
    await at.console.ok(
      plans.agreePlan,
      {
        billIds: [bill.planned.id],
        instalments: [
          { on: on(2), amount: twd(5000) },
          { on: on(60), amount: twd(100_000) },
        ],
        graceDays: 60,
        note: '',
      },
      asAdmin(),
    );
    await at.console.ok(
      dunning.exemptOrganization,
      { organizationId: made.exempt.organizationId, reason: 'partner' },
      asAdmin(),
    );
    await noon('2024-12-01');
    // Two consoles and a job that ran twice.
    await Promise.all([run(), run()]);
    await run();
    // 105,000 × 24 × 10 % ÷ 365 = 690.4
    expect(await amounts(bill.late)).toEqual([690]);
    expect(await amounts(bill.punctual)).toEqual([]);
    // (105,000 × 9 + 40,000 × 15) × 10 % ÷ 365 = 423.3
    expect(await amounts(bill.part)).toEqual([423]);
    // 105,000 × 9 × 10 % ÷ 365 = 258.9
    expect(await amounts(bill.credited)).toEqual([259]);
    expect(await amounts(bill.voided)).toEqual([]);
    // (105,000 × 9 + 5,000 × 12 [19 to 30 November]) × 10 % ÷ 365 = 275.3
    expect(await amounts(bill.planned)).toEqual([275]);
    expect(await amounts(bill.exempt)).toEqual([]);
    expect((await messages(made.late)).join()).toContain(
      `Bill ${bill.late.number} is overdue. A late fee of NT$690 will be on your next bill.`,
    );
    const [first] = (await feesOf(bill.part)).fees;
    expect(first?.stretches.map(({ from, until, days, late }) => [from, until, days, late.minor])).toEqual([
      ['2024-11-07', '2024-11-15', 9, 105_000n],
      ['2024-11-16', '2024-11-30', 15, 40_000n],
    ]);
  });

  it('are not charged for the time before dunning was switched on again', async () => {
    await at.console.ok(dunning.endExemption, { organizationId: made.exempt.organizationId }, asAdmin());
    await noon('2025-01-01');
    await run();
    // Only December: 105,000 × 55 days − 105,000 × 24 days, each rounded: 1,582 − 690.
    expect(await amounts(bill.exempt)).toEqual([892]);
    // The charges of both months equal the fee for both together: 1,582.
    expect(await amounts(bill.late)).toEqual([690, 892]);
  });

  it('can be waived before they are billed, permanently', async () => {
    const fees = (await feesOf(bill.waived)).fees;
    const [second, first] = [required(fees[0], 'a fee'), required(fees[1], 'a fee')];
    expect(first).toMatchObject({ state: 'pending', amount: twd(690) });
    const after = await at.console.ok(
      lateFees.waiveLateFee,
      { lateFeeId: first.id, reason: 'our mistake' },
      asAdmin(),
    );
    expect(after.fees[1]).toMatchObject({ state: 'waived', reason: 'our mistake' });
    const again = await at.console.call(
      lateFees.waiveLateFee,
      { lateFeeId: first.id, reason: 'twice' },
      asAdmin(),
    );
    expect(again.envelope.code).toBe('latefees.waived_already');
    expect((await messages(made.waived)).join()).toContain('was waived and won’t be billed');
    await run();
    expect(await amounts(bill.waived)).toEqual([690, 892]);
    expect(second.state).toBe('pending');
  });

  it('are on the next bill with their calculation, with its usual tax, and leave the late bill unchanged', async () => {
    const before = await billOf(made.late);
    for (const month of [october, november, '2024-12' as never]) await close(month);
    // Charged on 1 December and 1 January: on the bills of those months.
    const december = await billOf(made.late, '2024-12' as never);
    const lines = december.lines.filter(({ kind }) => kind === 'one_off');
    expect(lines).toHaveLength(1);
    expect(lines[0]?.term?.name.enUS).toBe(
      `Late fee for bill ${bill.late.number}, Nov 7, 2024 to Nov 30, 2024: NT$105,000 × 24 days × 10% ÷ 365`,
    );
    expect(december).toMatchObject({ net: twd(100_690), tax: twd(5035) });
    expect(await billOf(made.late)).toEqual(before);
    expect((await billOf(made.waived, '2024-12' as never)).net).toEqual(twd(100_000));
    const [, first] = (await feesOf(bill.late)).fees;
    expect(first).toMatchObject({ state: 'billed', onBill: { id: december.id, number: december.number } });
    await expectSoundBooks();
  });

  it('that are billed are waived by a credit note of that line', async () => {
    const [, first] = (await feesOf(bill.late)).fees;
    const after = await at.console.ok(
      lateFees.waiveLateFee,
      { lateFeeId: required(first, 'a fee').id, reason: 'goodwill' },
      asAdmin(),
    );
    expect(after.fees[1]).toMatchObject({ state: 'credited', reason: 'goodwill' });
    const december = await billOf(made.late, '2024-12' as never);
    expect(december.credited).toEqual(twd(725));
    await expectSoundBooks();
  });

  it('that are not billed yet are canceled when the late bill is voided', async () => {
    await at.console.ok(credits.voidBill, { billId: bill.twice.id, reason: 'wrong' }, asAdmin());
    const states = (await feesOf(bill.twice)).fees.map(({ state }) => state);
    // December's is on a bill; January's is not.
    expect(states).toEqual(['waived', 'billed']);
    const { items } = await at.console.ok(
      oneOffs.listOneOffs,
      { organizationId: made.twice.organizationId, state: 'withdrawn' },
      asAdmin(),
    );
    expect(items).toHaveLength(1);
  });

  it('that were credited are on no later bill, even when the bill with them is voided and reissued', async () => {
    const december = await billOf(made.late, '2024-12' as never);
    const ofFee = december.lines.filter(({ kind }) => kind === 'one_off').map(({ total }) => total);
    expect(ofFee).toHaveLength(1);
    const before = (await feesOf(bill.late)).fees;
    await at.console.ok(credits.voidBill, { billId: december.id, reason: 'wrong' }, asAdmin());
    const preview = await at.console.ok(credits.previewReissue, { billId: december.id }, asAdmin());
    expect(preview.bill?.net).toEqual(twd(100_000));
    await at.console.ok(credits.reissueBill, { billId: december.id, reason: 'right' }, asAdmin());
    const again = await billOf(made.late, '2024-12' as never);
    expect(again.lines.map(({ kind }) => kind)).not.toContain('one_off');
    expect(again.net).toEqual(twd(100_000));
    expect((await feesOf(bill.late)).fees.map(({ state }) => state)).toEqual(
      before.map(({ state }) => state),
    );
    const { items } = await at.console.ok(
      oneOffs.listOneOffs,
      { organizationId: made.late.organizationId, state: 'withdrawn' },
      asAdmin(),
    );
    expect(items.map((item) => item.amount)).toEqual(ofFee);
    await expectSoundBooks();
  });

  it('stop for every bill on the day they are switched off, and those days stay free', async () => {
    await save(null);
    await noon('2025-01-11');
    await save(percentTerms());
    await noon('2025-02-01');
    await run();
    // Off on 1 to 10 January: 55 + 21 days until 31 January. 105,000 × 76 × 10 % ÷ 365 = 2,186.3, less 1,582.
    expect((await amounts(bill.late)).at(-1)).toBe(2186 - 1582);
  });
});

describe('T-FEE: a fixed fee for each dunning step', () => {
  it('is announced in the reminder before, charged with each step after the grace period, limited by the cap, and tax-exempt if so configured', async () => {
    await noon('2025-02-02');
    await at.console.ok(
      taxes.saveTaxSettings,
      { country: 'TW', vatId: '', iban: '', bic: '', electronicAddress: '', isViesOn: false },
      asAdmin(),
    );
    expect((await at.console.ok(lateFees.getLateFees, {}, asAdmin())).isTaxStated).toBe(true);
    const payer = await customer(flat('1000'));
    await save({
      graceDays: 3,
      taxedAs: 'exempt',
      currencies: [row({ percent: null, fixed: twd(300), cap: twd(700) })],
    });
    const plan = { steps: [...initialSteps], minimums: [money(1000n, 'TWD')], deferDays: 3 };
    await at.console.ok(dunning.saveDunning, { plan }, asAdmin());
    await noon('2025-02-05');
    await close('2025-01' as never);
    const january = await billOf(payer, '2025-01' as never);
    const { id } = await at.console.ok(dunning.rehearseDunning, {}, asAdmin());
    await at.console.ok(dunning.switchDunning, { isOn: true, rehearsalId: id }, asAdmin());
    const shownStates: string[] = [];
    // Due on 7 March: reminders 3 days before, on the day, 3 and 7 days after; past due and suspension on 17 and 21 March.
    for (const day of ['03-04', '03-07', '03-10', '03-14', '03-17', '03-21']) {
      await noon(`2025-${day}`);
      await Promise.all([dun(at.console.app), dun(at.console.app)]);
      shownStates.push(`${day} ${(await amounts(january)).join(' ')}`);
    }
    expect(shownStates).toEqual([
      '03-04 ',
      '03-07 ',
      '03-10 ',
      '03-14 300',
      '03-17 300 300',
      '03-21 300 300 100',
    ]);
    expect((await messages(payer)).join()).toContain('After the due date each reminder adds NT$300.');
    expect((await feesOf(january)).fees.map(({ step }) => step)).toEqual([14, 10, 7]);
    await noon('2025-04-05');
    for (const month of ['2025-02', '2025-03']) await close(month as never);
    const march = await billOf(payer, '2025-03' as never);
    expect(march.taxes?.map(({ category, net: of, tax }) => [category, of.minor, tax.minor])).toContainEqual([
      'E',
      700n,
      0n,
    ]);
  });
});
