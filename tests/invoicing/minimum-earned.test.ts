// The earnings of minimum spends for operators: by month and in total, with hand-computed figures.
import { beforeAll, describe, expect, it } from 'vitest';
import type { Id } from '#kernel/ids.ts';
import { money } from '#kernel/money.ts';
import { credits } from '#features/invoicing/credits/contract.ts';
import { oneOffs } from '#features/invoicing/one-offs/contract.ts';
import {
  at,
  billOf,
  bills,
  close,
  credit,
  customer,
  fee,
  moveTo,
  net,
  october,
  september,
  startBilling,
  twd,
  use,
  type Customer,
} from '../support/corrections.ts';

let one: Customer, other: Customer;
let minimum: Id<'msp'>, dollars: Id<'msp'>, ofOther: Id<'msp'>;

const asAdmin = () => ({ token: at.admin });
const set = async ({ organizationId }: Customer, amount: ReturnType<typeof money>): Promise<Id<'msp'>> => {
  const made = await at.console.ok(oneOffs.createMinimumSpend, { organizationId, amount }, asAdmin());
  expect(made.added).toEqual(money(0n, amount.currency));
  return made.id;
};
/** The months of one: `2024-09 150 -0`. */
const months = async (minimumSpendId: Id<'msp'>): Promise<string[]> =>
  (await at.console.ok(oneOffs.getMinimumSpend, { minimumSpendId }, asAdmin())).months.map(
    ({ month, added, credited }) => `${month} ${added.minor} -${credited.minor}`,
  );
const sums = async (): Promise<Record<string, [bigint, string]>> =>
  Object.fromEntries(
    (await at.console.ok(oneOffs.listMinimumSpends, {}, asAdmin())).items.map(({ id, added }) => [
      id,
      [added.minor, added.currency],
    ]),
  );

beforeAll(async () => {
  await startBilling();
  one = await customer(fee('100'), fee('7.5', 'USD'));
  other = await customer(fee('300'));
  minimum = await set(one, twd(250));
  dollars = await set(one, money(2000n, 'USD'));
  ofOther = await set(other, twd(250));
  await moveTo('2024-09-20T00:00:00Z');
  await use(one, 'september', '20', '2024-09-10T00:00:00Z');
});

describe('T-ONEOFF: the earnings of a minimum spend', () => {
  it('are zero before a bill, and where the month costs more anyway', async () => {
    expect(await sums()).toEqual({ [minimum]: [0n, 'TWD'], [dollars]: [0n, 'USD'], [ofOther]: [0n, 'TWD'] });
    await moveTo('2024-10-05T00:00:00Z');
    await close(september);
    // 250 − (100 + 20); 20.00 − 7.50; 300 is more than 250.
    expect(await sums()).toEqual({
      [minimum]: [130n, 'TWD'],
      [dollars]: [1250n, 'USD'],
      [ofOther]: [0n, 'TWD'],
    });
    expect(await months(ofOther)).toEqual([]);
  });

  it('add up over months, with the bill of each', async () => {
    await use(one, 'october', '149', '2024-10-04T00:00:00Z');
    await moveTo('2024-11-05T00:00:00Z');
    await close(october);
    // 250 − (100 + 149).
    expect(await months(minimum)).toEqual(['2024-10 1 -0', '2024-09 130 -0']);
    expect((await sums())[minimum]).toEqual([131n, 'TWD']);
    expect(await months(dollars)).toEqual(['2024-10 1250 -0', '2024-09 1250 -0']);
    const { items } = await at.console.ok(
      oneOffs.listMinimumSpends,
      { organizationId: one.organizationId, currency: 'USD' },
      asAdmin(),
    );
    expect(items.map(({ added }) => added)).toEqual([money(2500n, 'USD')]);
  });

  it('are reduced by credit notes for that line, and zero for a void bill', async () => {
    const bill = (await bills(one, september)).find(({ currency }) => currency === 'TWD');
    const line = bill?.lines.find(({ kind }) => kind === 'minimum_spend');
    if (!bill || !line) throw new Error('no such line');
    // 30 of the line itself, then 10 % of the rest: 22 of 220, of which the line is 100.
    await credit(bill, { kind: 'lines', lines: [{ lineId: line.id, net: twd(30) }] });
    expect(await months(minimum)).toEqual(['2024-10 1 -0', '2024-09 130 -30']);
    await credit(bill, net(22));
    expect(await months(minimum)).toEqual(['2024-10 1 -0', '2024-09 130 -40']);
    expect((await sums())[minimum]).toEqual([91n, 'TWD']);
    await at.console.ok(credits.voidBill, { billId: bill.id, reason: 'wrong' }, asAdmin());
    expect(await months(minimum)).toEqual(['2024-10 1 -0']);
    // Ten more were used: the replacement adds ten less.
    await use(one, 'late', '10', '2024-09-11T00:00:00Z');
    await at.console.ok(credits.reissueBill, { billId: bill.id }, asAdmin());
    expect(await months(minimum)).toEqual(['2024-10 1 -0', '2024-09 120 -0']);
    expect((await sums())[minimum]).toEqual([121n, 'TWD']);
  });

  it('stay after it is ended; an unknown one is rejected', async () => {
    const ended = await at.console.ok(
      oneOffs.endMinimumSpend,
      { minimumSpendId: minimum, lastMonth: october },
      asAdmin(),
    );
    expect(ended.added).toEqual(twd(121));
    expect((await billOf(other)).lines.map(({ kind }) => kind)).toEqual(['base_fee']);
    const unknown = await at.console.call(
      oneOffs.getMinimumSpend,
      { minimumSpendId: `msp_${'0'.repeat(26)}` as Id<'msp'> },
      asAdmin(),
    );
    expect([unknown.status, unknown.envelope.code]).toEqual([404, 'oneoffs.minimum_not_found']);
  });
});
