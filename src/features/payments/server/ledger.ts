// The ledger as an Admin reads it.
import type { In, Out } from '#kernel/contract.ts';
import { refuse } from '#kernel/refusal.ts';
import type { Ctx } from '#platform/server/ctx.ts';
import { paymentsErrors, type payments } from '../contract.ts';
import { countEntries, ledgerEntries, sumsByKind } from './store.ts';

const defaultLimit = 50;

/** Ledger entries, the newest transaction first. */
export async function ledger(ctx: Ctx, input: In<typeof payments.ledger>): Promise<Out<typeof payments.ledger>> {
  const limit = input.limit ?? defaultLimit;
  const organizationId = input.organizationId ?? null;
  const found = await ledgerEntries(ctx, { organizationId, limit: limit + 1, after: readCursor(input.cursor) });
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return { items: page.map(({ position: _position, ...entry }) => entry), nextCursor: found.length > limit && last ? `${last.transactionId}.${last.position}` : null, total: await countEntries(ctx, organizationId) };
}

function readCursor(cursor: string | undefined): { transactionId: string; position: number } | null {
  if (cursor === undefined) return null;
  const match = /^(ltx_[0-9a-z]{26})\.(\d{1,5})$/.exec(cursor);
  if (!match?.[1] || !match[2]) throw refuse(paymentsErrors, 'payments.not_found');
  return { transactionId: match[1], position: Number.parseInt(match[2], 10) };
}

/** The sum of every kind of account; all of a currency add up to zero. */
export async function trialBalance(ctx: Ctx): Promise<Out<typeof payments.trialBalance>> {
  return { items: await sumsByKind(ctx) };
}
