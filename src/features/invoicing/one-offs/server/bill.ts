// Called by billing: records which one-offs are on a bill, and that a bill was voided.
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { markBilled, unmarkBilled, type BilledOneOff } from './store-billing.ts';

const actorOf = ({ actor }: Ctx): string | null => (actor.kind === 'user' ? actor.userId : null);

/**
 * Records which bill has which one-off. The caller holds their locks (`holdOneOffs`). @throws Error when one
 * of them is not approved.
 */
export async function recordBilled(ctx: Ctx, rows: readonly BilledOneOff[]): Promise<void> {
  if (rows.length === 0) return;
  await markBilled(ctx, rows, actorOf(ctx));
  ctx.publish('system/billing', { kind: 'one-offs' });
}

/** After a bill was voided: its one-offs are approved again, and will be on the next bill. */
export async function releaseBilled(ctx: Ctx, billId: string): Promise<void> {
  if (await unmarkBilled(ctx, billId, actorOf(ctx))) ctx.publish('system/billing', { kind: 'one-offs' });
}
