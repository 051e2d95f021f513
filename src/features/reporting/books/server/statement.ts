// An organization's own statement of account: what it owes and what it has prepaid, in one currency.
import type { In, Out } from '#kernel/contract.ts';
import type { Currency } from '#kernel/money.ts';
import { required } from '#kernel/assert.ts';
import { tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { mainCurrency } from '#features/invoicing/billing/server/index.ts';
import { organizationById } from '#features/access/identity/server/index.ts';
import { accountId } from '#features/invoicing/ledger/rules.ts';
import type { books } from '../contract.ts';
import { headOf, linesOf, spanOf } from './read.ts';
import type { Span } from './store.ts';
import { entriesOf, ownAccounts, sumsOf } from './store-statements.ts';

// Enough for years of bills and payments; a longer statement can be downloaded as a file, which has no limit.
const maxLines = 500;

/** Converts days in the time zone of the caller's organization to a time range. */
export async function ownSpan(
  ctx: Ctx,
  input: Pick<In<typeof books.statement>, 'from' | 'to'>,
): Promise<Span> {
  return spanOf(
    input,
    required(await organizationById(ctx.db, tenant(ctx)), 'the own organization').timeZone,
  );
}

/**
 * Returns the statement in a currency; by default the one in which money is owed, or else the first, or else
 * the console's main currency.
 */
export async function statement(
  ctx: Ctx,
  input: In<typeof books.statement>,
): Promise<Out<typeof books.statement>> {
  const organizationId = tenant(ctx);
  const accounts = await ownAccounts(ctx, organizationId);
  const currencies = [...new Set(accounts.map((account) => account.currency))];
  const owing = accounts.find((account) => account.kind === 'receivable' && account.minor > 0n);
  const currency: Currency =
    input.currency ?? owing?.currency ?? currencies[0] ?? (await ctx.setting(mainCurrency));
  const span = await ownSpan(ctx, input);
  const part = async (kind: 'receivable' | 'balance') => {
    const id = accountId({ kind, organizationId, currency });
    const sums = await sumsOf(ctx, id, accounts.find((account) => account.id === id)?.minor ?? 0n, span);
    return {
      ...headOf(kind, currency, sums),
      items: linesOf(kind, currency, sums.opening, await entriesOf(ctx, id, span, maxLines, null)),
      total: sums.total,
    };
  };
  return {
    currency,
    currencies: currencies.length === 0 ? [currency] : currencies,
    owed: await part('receivable'),
    prepaid: await part('balance'),
  };
}
