// The running month is explained line by line like its future bill, with all terms of the customer; and which
// of its bills a close finds already issued.
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { required } from '#kernel/assert.ts';
import type { LocalDay } from '#kernel/shape.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { billing, type LineExplanation } from '#features/invoicing/billing/contract.ts';
import { issueInterimBills } from '#features/invoicing/billing/server/index.ts';
import { credits } from '#features/invoicing/credits/contract.ts';
import { commitments } from '#features/invoicing/commitments/contract.ts';
import { creditgrants } from '#features/invoicing/credit-grants/contract.ts';
import { discounts } from '#features/invoicing/discounts/contract.ts';
import { oneOffs } from '#features/invoicing/one-offs/contract.ts';
import {
  at,
  billOf,
  close,
  customer,
  db,
  fee,
  moveTo,
  september,
  startBilling,
  twd,
  use,
  type Customer,
} from '../support/corrections.ts';

const asAdmin = () => ({ token: at.admin });
const named = (zhTW: string, enUS: string) => ({ zhTW, enUS });
let one: Customer, other: Customer, plain: Customer;

beforeAll(async () => {
  await startBilling();
  one = await customer(fee('1000'), fee('7.5', 'USD'));
  other = await customer(fee('100'));
  plain = await customer(fee('1000'));
  await moveTo('2024-09-20T00:00:00Z');
  const { organizationId } = one;
  const discount = await at.console.ok(
    discounts.createDiscount,
    {
      name: named('秋季', 'Autumn'),
      reduction: { kind: 'percent', percent: '10' },
      duration: { kind: 'once' },
      scope: null,
    },
    asAdmin(),
  );
  await at.console.ok(discounts.giveDiscount, { discountId: discount.id, organizationId }, asAdmin());
  await at.console.ok(
    oneOffs.createOneOff,
    {
      organizationId,
      name: named('搬遷', 'Migration'),
      kind: 'charge',
      quantity: '3',
      unitPrice: '80.5',
      currency: 'TWD',
      chargeOn: '2024-09-20' as LocalDay,
    },
    asAdmin(),
  );
  await at.console.ok(
    oneOffs.createOneOff,
    {
      organizationId,
      name: named('搬遷', 'Migration'),
      kind: 'charge',
      unitPrice: '80',
      currency: 'TWD',
      billing: 'own_bill',
    },
    asAdmin(),
  );
  await at.console.ok(
    commitments.makeCommitment,
    {
      organizationId,
      name: named('承諾', 'Commitment'),
      startsOn: september,
      months: 1,
      period: 'month',
      amounts: [twd(700)],
      committedPercent: '80',
      overagePercent: '120',
    },
    asAdmin(),
  );
  await at.console.ok(
    commitments.makeCommitment,
    {
      organizationId: other.organizationId,
      name: named('承諾', 'Commitment'),
      startsOn: september,
      months: 1,
      period: 'month',
      amounts: [twd(150)],
    },
    asAdmin(),
  );
  // At current prices: no line of the bill shows that it is used up.
  await at.console.ok(
    commitments.makeCommitment,
    {
      organizationId: plain.organizationId,
      name: named('承諾', 'Commitment'),
      startsOn: september,
      months: 1,
      period: 'month',
      amounts: [twd(900)],
    },
    asAdmin(),
  );
  await at.console.ok(
    oneOffs.createMinimumSpend,
    { organizationId: other.organizationId, amount: twd(400) },
    asAdmin(),
  );
  for (const { organizationId: id } of [one, other])
    await at.console.ok(
      creditgrants.giveGrant,
      { organizationId: id, kind: 'promotional', name: named('贈送', 'Gift'), amount: twd(77) },
      asAdmin(),
    );
  await at.console.ok(
    billing.setInterimThreshold,
    { organizationId, currency: 'TWD', amount: twd(100) },
    asAdmin(),
  );
  await use(one, 'a', '333', '2024-09-19T00:00:00Z');
  await use(one, 'b', '12', '2024-09-18T00:00:00Z', {}, 1);
  await use(other, 'c', '5', '2024-09-19T00:00:00Z');
  await use(plain, 'd', '200', '2024-09-19T00:00:00Z');
  await unitOfWork(at.console.app, { actor: { kind: 'system', name: 'test' } }, (ctx) =>
    issueInterimBills(ctx, organizationId),
  );
});

const running = async (who: Customer): Promise<LineExplanation[]> => {
  const { bills } = await at.console.ok(billing.currentBill, {}, { token: who.token });
  const dollarsLast = bills.toSorted((a, b) => a.currency.localeCompare(b.currency));
  return Promise.all(
    dollarsLast.flatMap(({ currency, lines }) =>
      lines.map(({ id }) =>
        at.console.ok(billing.explainCurrentLine, { currency, lineId: id }, { token: who.token }),
      ),
    ),
  );
};

/** The part of a line within its commitment and the part beyond, and the lines it consists of. */
const splitAndParts = ({ split, shares }: LineExplanation) => [
  split &&
    `${split.within.minor} + ${split.beyond.minor} at ${split.committedPercent} / ${split.overagePercent}`,
  shares.map(({ part }) => part?.minor ?? null),
];

describe('R-BILL-02 the explanation of the running month', () => {
  it('equals that of the bill that the close issues, for each line with all terms', async () => {
    const [before, ofOther, ofPlain] = [await running(one), await running(other), await running(plain)];
    expect(before.map(({ line }) => line.kind).join()).toBe(
      'base_fee,usage,one_off,discount,committed_rate,overage_rate,promotional_credit,interim_deduction,base_fee,usage,discount',
    );
    expect(ofOther.map(({ line }) => line.kind).join()).toBe(
      'base_fee,usage,true_up,minimum_spend,promotional_credit',
    );
    // 700 at 80 % are 875 of the amount after the discount of 10 %: 900 of the fee, and 300 of 333 for usage.
    expect(before.slice(0, 6).map(splitAndParts)).toEqual([
      ['656 + 244 at 80 / 120', []],
      ['219 + 81 at 80 / 120', []],
      [null, []],
      [null, [null, null, null]],
      [null, [656n, 219n]],
      [null, [244n, 81n]],
    ]);
    // 900 of 1,200, the same share of each line.
    expect(ofPlain.map(splitAndParts)).toEqual([
      ['750 + 250 at 100 / 100', []],
      ['150 + 50 at 100 / 100', []],
    ]);
    expect(ofOther.map(({ split }) => split)).toEqual(ofOther.map(() => null));
    await moveTo('2024-10-05T00:00:00Z');
    expect(await close(september)).toMatchObject({ issued: 4, skipped: 0 });
    for (const [who, explained] of [
      [one, before],
      [other, ofOther],
      [plain, ofPlain],
    ] as const) {
      const { items } = await at.console.ok(
        billing.listBills,
        { month: september, sort: 'number' },
        { token: who.token },
      );
      const months = items
        .filter(({ kind }) => kind === 'month')
        .toSorted((a, b) => a.currency.localeCompare(b.currency));
      const issued: LineExplanation[] = [];
      for (const { id } of months) {
        const { lines } = await at.console.ok(billing.getBill, { billId: id }, { token: who.token });
        for (const { id: lineId } of lines) {
          const line = { billId: id, lineId };
          const own = await at.console.ok(billing.explainLine, line, { token: who.token });
          // An Admin sees the same.
          expect(await at.console.ok(billing.adminExplainLine, line, asAdmin())).toEqual(own);
          issued.push(own);
        }
      }
      expect(explained).toEqual(issued);
    }
  });

  it('does not show a split that an older bill did not record', async () => {
    const bill = await billOf(plain);
    const explain = async () =>
      (await at.console.ok(billing.explainLine, { billId: bill.id, lineId: '1' }, { token: plain.token }))
        .split;
    expect(await explain()).toMatchObject({ within: twd(750), beyond: twd(250) });
    await db()
      .transaction()
      .execute(async (unit) => {
        await sql`alter table commitment_use disable trigger user`.execute(unit);
        await sql`update commitment_use set draws = jsonb_build_array(draws -> 0 #- '{within}' #- '{beyond}', draws -> 1) where bill_id = ${bill.id}`.execute(
          unit,
        );
        await sql`alter table commitment_use enable trigger user`.execute(unit);
      });
    expect(await explain()).toBeNull();
  });

  it('of a bill is visible only to its organization and Admins', async () => {
    const line = { billId: (await billOf(plain)).id, lineId: '1' };
    const explanationsFor = async (token: string) => [
      (await at.console.call(billing.explainLine, line, { token })).status,
      (await at.console.call(billing.adminExplainLine, line, { token })).status,
    ];
    expect(await explanationsFor(plain.token)).toEqual([200, 403]);
    expect(await explanationsFor(other.token)).toEqual([404, 403]);
    const { envelope } = await at.console.call(
      billing.adminExplainLine,
      { ...line, lineId: '99' },
      asAdmin(),
    );
    expect(envelope.code).toBe('billing.line_not_found');
  });

  it('covers only the own running month, and reports an unknown line', async () => {
    const explainLine = (currency: 'TWD' | 'USD', lineId: string) =>
      at.console.call(billing.explainCurrentLine, { currency, lineId }, { token: other.token });
    expect(required((await billOf(other)).lines[0], 'a line').kind).toBe('base_fee');
    expect((await explainLine('TWD', '1')).status).toBe(200);
    for (const [currency, lineId] of [
      ['USD', '1'],
      ['TWD', '99'],
    ] as const) {
      const { status, envelope } = await explainLine(currency, lineId);
      expect([status, envelope.code]).toEqual([404, 'billing.line_not_found']);
    }
  });
});

describe('R-BILL-05 bills issued before a close', () => {
  it('include valid monthly bills only: not interim, one-off or void ones', async () => {
    await at.console.ok(credits.voidBill, { billId: (await billOf(plain)).id, reason: 'wrong' }, asAdmin());
    // One has an interim and a one-off bill of September; the second has a monthly bill; the third one’s is
    // void.
    expect(await close(september)).toMatchObject({ issued: 0, skipped: 3 });
    const { items } = await at.console.ok(billing.listCloseRuns, {}, asAdmin());
    expect(items.map(({ issued, skipped }) => [issued, skipped])).toEqual([
      [0, 3],
      [4, 0],
    ]);
  });
});
