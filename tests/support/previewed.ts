// Corrections of bills, verified against their previews: before a credit, void or reissue the preview is
// requested, and the rejection, stored data and bookings are compared with it.
import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Out, Route } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { billing } from '#features/invoicing/billing/contract.ts';
import { credits, type CreditAsk, type CreditPreview } from '#features/invoicing/credits/contract.ts';
import type { Answer, TestConsole } from './console.ts';

type Answered<R> = {
  readonly status: number;
  /** Undefined on success. */
  readonly code: string | undefined;
  readonly data: Out<R>;
};

/** The outcome of a call; the data of a rejection is ignored. */
const answered = <R extends Route>({ status, envelope, data }: Answer<R>) => ({
  status,
  code: status < 400 ? undefined : envelope.code,
  data,
});

/** The ledger entries of a correction, in the order in which previews show them. */
async function bookedOf(console: TestConsole, kind: string, reference: string): Promise<unknown[]> {
  const { rows } = await sql<{ kind: string; minor: bigint }>`select a.kind, e.amount_minor as minor
    from ledger_transaction t join ledger_entry e on e.transaction_id = t.id join ledger_account a on a.id = e.account_id
    where t.kind = ${kind} and t.reference = ${reference}`.execute(console.app.database.kysely);
  return rows.map((row) => `${row.kind} ${row.minor}`).toSorted();
}
const entriesOf = ({ entries }: CreditPreview): unknown[] =>
  entries
    .map(({ accountKind, debit, credit }) => `${accountKind} ${debit?.minor ?? -(credit?.minor ?? 0n)}`)
    .toSorted();

/** Issues a credit note after its preview, which must fail the same way or predict the bookings exactly. */
export async function issueAsPreviewed(
  console: TestConsole,
  token: string,
  input: { readonly billId: Id<'bil'>; readonly what: CreditAsk; readonly reason: string },
): Promise<Answered<typeof credits.issueCredit>> {
  const { billId, what } = input;
  const preview = answered(await console.call(credits.previewCredit, { billId, what }, { token }));
  const done = answered(await console.call(credits.issueCredit, input, { token }));
  expect(preview.code, 'the preview of a credit note').toBe(done.code);
  if (done.code !== undefined) return done;
  const { net, tax, total, toDue, toBalance } = preview.data;
  expect(done.data, 'the credit note').toMatchObject({ net, tax, total, toDue, toBalance });
  expect(await bookedOf(console, 'credit_note', done.data.id)).toEqual(entriesOf(preview.data));
  return done;
}

/** Voids a bill after its preview. */
export async function voidAsPreviewed(
  console: TestConsole,
  token: string,
  input: { readonly billId: Id<'bil'>; readonly reason: string },
): Promise<Answered<typeof credits.voidBill>> {
  const preview = answered(await console.call(credits.previewVoid, { billId: input.billId }, { token }));
  const done = answered(await console.call(credits.voidBill, input, { token }));
  expect(preview.code, 'the preview of a void').toBe(done.code);
  if (done.code === undefined) await expectVoided(console, token, input.billId, preview.data);
  return done;
}

async function expectVoided(
  console: TestConsole,
  token: string,
  billId: Id<'bil'>,
  preview: CreditPreview,
): Promise<void> {
  const { void: stored } = await console.ok(credits.adminBillHistory, { billId }, { token });
  const { net, tax, total, toDue, toBalance, toPrepaid } = preview;
  expect(stored, 'the void').toMatchObject({ net, tax, total, toDue, toBalance, toPrepaid });
  expect(await bookedOf(console, 'void', billId)).toEqual(entriesOf(preview));
}

/**
 * Reissues a month's bill after its preview. Two outcomes are not rejected by the preview: that replacing a
 * valid bill requires a reason, because previews take none; and that nothing is left to bill, for which it
 * returns a null bill. `isReplaced`: the call only returns the bill that was issued before.
 */
export async function reissueAsPreviewed(
  console: TestConsole,
  token: string,
  input: { readonly billId: Id<'bil'>; readonly reason?: string },
  isReplaced: boolean,
): Promise<Answered<typeof credits.reissueBill>> {
  const { billId } = input;
  const preview = answered(await console.call(credits.previewReissue, { billId }, { token }));
  const done = answered(await console.call(credits.reissueBill, input, { token }));
  if (isReplaced || done.code === 'credits.not_void') return done;
  const expectedCode = preview.code ?? (preview.data.bill === null ? 'credits.nothing_to_issue' : undefined);
  expect(expectedCode, 'the preview of a bill that is issued again').toBe(done.code);
  if (done.code !== undefined) return done;
  if (preview.data.void) await expectVoided(console, token, billId, preview.data.void);
  const bill = await console.ok(billing.adminGetBill, { billId: done.data.id }, { token });
  const linesOf = ({ lines }: Pick<typeof bill, 'lines'>) =>
    lines.map(({ kind, serviceName, quantity, exact, total }) => [kind, serviceName, quantity, exact, total]);
  expect(bill).toMatchObject({
    net: preview.data.bill?.net,
    tax: preview.data.bill?.tax,
    total: preview.data.bill?.total,
  });
  expect(preview.data.bill && linesOf(preview.data.bill)).toEqual(linesOf(bill));
  return done;
}

/**
 * Closes a month after its dry run, whose totals must equal what is issued. Only for a month of which nothing
 * was billed before.
 */
export async function closeAsPreviewed<T>(
  console: TestConsole,
  token: string,
  month: BillingMonth,
  close: () => Promise<T>,
): Promise<T> {
  await console.ok(billing.previewClose, { month }, { token });
  const { preview } = await console.ok(billing.getPreview, { month }, { token });
  const closed = await close();
  const { rows } = await sql<{ currency: string; bills: bigint; net: bigint; tax: bigint; total: bigint }>`
    select currency, count(*) as bills, sum(net_minor)::bigint as net, sum(tax_minor)::bigint as tax, sum(total_minor)::bigint as total
    from bill where month = ${month} and kind = 'month' group by currency order by currency`.execute(
    console.app.database.kysely,
  );
  expect(
    preview?.totals
      .filter(({ bills }) => bills > 0)
      .map(({ currency, bills, net, tax, total }) => [currency, bills, net.minor, tax.minor, total.minor])
      .toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
    'the rehearsal of a close',
  ).toEqual(rows.map((row) => [row.currency, Number(row.bills), row.net, row.tax, row.total]));
  return closed;
}
