// Proposes matches for open rows, and lists the possible targets of one row.
import type { In, Out } from '#kernel/contract.ts';
import { domainError } from '#kernel/errors.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { bankingErrors, type banking } from '../contract.ts';
import { codesIn, payerKeys, proposals } from '../rules-match.ts';
import { rowById } from './store.ts';
import {
  expectedPayments,
  storeProposals,
  lockWaiting,
  organizationsByPayer,
  searchTargets,
} from './store-match.ts';

/** Recomputes the proposal of every open row from the currently expected payments. */
export async function proposeAll(ctx: Ctx): Promise<{ matched: number; open: number }> {
  let [matched, open] = [0, 0];
  for (const [currency, rows] of await lockWaiting(ctx)) {
    const codes = [...new Set(rows.flatMap((row) => codesIn(row.words)))];
    const minors = [...new Set(rows.map((row) => row.minor))];
    const payers = await organizationsByPayer(ctx, [...new Set(rows.flatMap(payerKeys))]);
    const made = proposals(rows, await expectedPayments(ctx, currency, codes, minors), payers);
    await storeProposals(
      ctx,
      rows.map((row) => row.id),
      made,
    );
    matched += made.length;
    open += rows.length - made.length;
  }
  return { matched, open };
}

export async function matchRows(ctx: Ctx): Promise<Out<typeof banking.matchRows>> {
  const counts = await proposeAll(ctx);
  ctx.publish('system/billing', { kind: 'bank' });
  return counts;
}

export async function findTargets(
  ctx: Ctx,
  input: In<typeof banking.findTargets>,
): Promise<Out<typeof banking.findTargets>> {
  const row = await rowById(ctx, input.rowId);
  if (!row) throw domainError(bankingErrors, 'banking.row_not_found');
  return { items: await searchTargets(ctx, row.amount.currency, row.amount.minor, input.q ?? '') };
}
