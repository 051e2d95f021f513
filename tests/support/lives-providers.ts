// What payment and e-invoice providers have on record is what the console's books and summaries say.
import { sql } from 'kysely';
import { expect } from 'vitest';
import { currencies, type Currency } from '#kernel/money.ts';
import { addMonths } from '#kernel/time.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { einvoices } from '#features/receivables/einvoices/contract.ts';
import type { Lives } from './lives.ts';

/** Days pass without mishaps, until the console knows the outcome of everything that it asked providers for. */
export async function hearProviders(lives: Lives): Promise<void> {
  for (const charge of lives.stripe.cards.charges.values())
    if (charge.status === 'processing')
      Object.assign(charge, { status: 'succeeded', amount_received: charge.amount });
  for (let days = 0; days < 3; days++) await lives.live(1);
}

/** The money at the card provider and the bank is the cash in the ledger, to the last minor unit. */
async function expectCash(lives: Lives, currency: Currency): Promise<void> {
  const { billingDigits, providerDigits } = currencies[currency];
  const { rows } = await sql<{ cash: bigint; transferred: bigint; open: number }>`select
      coalesce((select sum(e.amount_minor) from ledger_entry e join ledger_account a on a.id = e.account_id where a.kind = 'cash' and a.currency = ${currency}), 0)::bigint as cash,
      coalesce((select sum(p.received_minor - p.refunded_minor) from payment p where p.currency = ${currency} and p.method in ('manual', 'bank_transfer')), 0)::bigint as transferred,
      (select count(*)::int from payment_refund r join payment p on p.id = r.payment_id where p.currency = ${currency} and r.state = 'pending') as open`.execute(
    lives.db,
  );
  const [found] = rows;
  // A refund that nobody knows the outcome of is with an Admin.
  if (!found || found.open > 0) return;
  const atProvider = BigInt(lives.stripe.cash(currency.toLowerCase()));
  expect([currency, found.cash * 10n ** BigInt(providerDigits - billingDigits)], 'cash').toEqual([
    currency,
    atProvider + found.transferred * 10n ** BigInt(providerDigits - billingDigits),
  ]);
}

/** The e-invoices that stand at their provider, less allowances, are what the tax returns say. */
async function expectEinvoices(lives: Lives): Promise<void> {
  const { issued, voided, allowed, voidedAllowances } = lives.einvoices;
  let standing = 0n;
  for (const [id, { invoice }] of issued) if (!voided.has(id)) standing += invoice.total;
  for (const [id, { allowance }] of allowed)
    if (!voidedAllowances.has(id)) standing -= allowance.net + allowance.tax;
  let declared = 0n;
  let waiting = 0;
  for (let period = '2024-09' as BillingMonth; period <= lives.month(1); period = addMonths(period, 2)) {
    const summary = await lives.console.ok(einvoices.periodSummary, { period }, lives.asAdmin);
    expect(summary.total.minor, `e-invoices of ${period}`).toBe(summary.net.minor + summary.tax.minor);
    declared += summary.total.minor;
    waiting += summary.waiting;
  }
  const { rows } = await sql<{ unsent: bigint; unknown: number }>`select
      coalesce((select sum(total_minor) from einvoice_allowance where sent_at is null and state = 'failed'), 0)::bigint as unsent,
      (select count(*)::int from einvoice where is_unsure) + (select count(*)::int from einvoice_allowance where is_unsure) as unknown`.execute(
    lives.db,
  );
  const [left] = rows;
  // What waits, or has an outcome that nobody knows, is shown as open, for an Admin to mend; an allowance that
  // the provider refused is filed, with a warning.
  if (waiting === 0 && left?.unknown === 0) expect(declared + left.unsent, 'e-invoices').toBe(standing);
}

/** What others keep about the same money agrees. */
export async function expectProviders(lives: Lives): Promise<void> {
  for (const currency of new Set(lives.people.map((person) => person.currency)))
    await expectCash(lives, currency);
  await expectEinvoices(lives);
}
