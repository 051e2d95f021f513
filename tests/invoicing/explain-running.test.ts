// The running month is explained line by line as its bill will be, whatever was agreed with the customer.
import { beforeAll, describe, expect, it } from 'vitest';
import { required } from '#kernel/assert.ts';
import type { LocalDay } from '#kernel/shape.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { billing, type LineExplanation } from '#features/invoicing/billing/contract.ts';
import { issueInterimBills } from '#features/invoicing/billing/server/index.ts';
import { commitments } from '#features/invoicing/commitments/contract.ts';
import { creditgrants } from '#features/invoicing/credit-grants/contract.ts';
import { discounts } from '#features/invoicing/discounts/contract.ts';
import { oneOffs } from '#features/invoicing/one-offs/contract.ts';
import {
  at,
  billOf,
  close,
  customer,
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
let one: Customer, other: Customer;

beforeAll(async () => {
  await startBilling();
  one = await customer(fee('1000'), fee('7.5', 'USD'));
  other = await customer(fee('100'));
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

describe('R-BILL-02 the explanation of the running month', () => {
  it('is that of the bill that the close issues, for each line of all that was agreed', async () => {
    const [before, ofOther] = [await running(one), await running(other)];
    expect(before.map(({ line }) => line.kind).join()).toBe(
      'base_fee,usage,one_off,discount,committed_rate,overage_rate,promotional_credit,interim_deduction,base_fee,usage,discount',
    );
    expect(ofOther.map(({ line }) => line.kind).join()).toBe(
      'base_fee,usage,true_up,minimum_spend,promotional_credit',
    );
    await moveTo('2024-10-05T00:00:00Z');
    await close(september);
    for (const [who, explained] of [
      [one, before],
      [other, ofOther],
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
        for (const { id: lineId } of lines)
          issued.push(await at.console.ok(billing.explainLine, { billId: id, lineId }, { token: who.token }));
      }
      expect(explained).toEqual(issued);
    }
  });

  it('knows the actor’s own month alone, and says when there is no such line', async () => {
    const asked = (currency: 'TWD' | 'USD', lineId: string) =>
      at.console.call(billing.explainCurrentLine, { currency, lineId }, { token: other.token });
    expect(required((await billOf(other)).lines[0], 'a line').kind).toBe('base_fee');
    expect((await asked('TWD', '1')).status).toBe(200);
    for (const [currency, lineId] of [
      ['USD', '1'],
      ['TWD', '99'],
    ] as const) {
      const { status, envelope } = await asked(currency, lineId);
      expect([status, envelope.code]).toEqual([404, 'billing.line_not_found']);
    }
  });
});
