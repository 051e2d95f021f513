// Finance reports that must always match the ledger: receivables on any day; revenue, cash and tax of any
// period.
import { expect } from 'vitest';
import type { Currency } from '#kernel/money.ts';
import type { LocalDay } from '#kernel/shape.ts';
import { metrics } from '#features/reporting/metrics/contract.ts';
import type { TestConsole } from './console.ts';

/** Checks each report in each currency, for all days and for some of them. */
export async function expectReportsMatch(
  { ok }: Pick<TestConsole, 'ok'>,
  token: string,
  days: { readonly from: LocalDay; readonly middle: LocalDay; readonly to: LocalDay },
): Promise<void> {
  const { currencies } = await ok(metrics.summary, {}, { token });
  for (const currency of currencies) await expectMatch(ok, token, currency, days);
}

async function expectMatch(
  ok: TestConsole['ok'],
  token: string,
  currency: Currency,
  { from, middle, to }: { readonly from: LocalDay; readonly middle: LocalDay; readonly to: LocalDay },
): Promise<void> {
  for (const day of [middle, to]) {
    const { proof } = await ok(metrics.receivables, { currency, day }, { token });
    expect(proof, `receivables ${day}`).toEqual({ ...proof, here: proof.ledger, isEqual: true });
    const time = { currency, from, to: day };
    const revenue = await ok(metrics.revenue, time, { token });
    expect(revenue.proof, `revenue ${day}`).toEqual({
      ...revenue.proof,
      here: revenue.proof.ledger,
      isEqual: true,
    });
    const daily = await ok(metrics.receipts, { ...time, daily: true }, { token });
    expect(daily.proof, `receipts by day ${day}`).toEqual({
      ...daily.proof,
      here: daily.proof.ledger,
      isEqual: true,
    });
    const cash = await ok(metrics.receipts, time, { token });
    expect(cash.proof, `receipts ${day}`).toEqual({ ...cash.proof, here: cash.proof.ledger, isEqual: true });
    const tax = await ok(metrics.taxes, time, { token });
    expect(tax.proof, `taxes ${day}`).toEqual({ ...tax.proof, here: tax.proof.ledger, isEqual: true });
  }
}
