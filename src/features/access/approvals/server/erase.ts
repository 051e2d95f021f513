// Support for erasing personal data: decrypts the contents of requests, and deletes them.
import type { Id } from '#kernel/ids.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { textsIn } from '../rules.ts';
import { heldCallOf, outcomeOf } from './run.ts';
import { eraseContents, sealedAfter } from './store.ts';

const atOnce = 200;

/**
 * All texts and ids of a request: its subject, its call, a file that was sent with it, its answer, and the
 * notes.
 */
export type OpenedApproval = { readonly id: Id<'apr'>; readonly texts: readonly string[] };

/**
 * Yields, in batches, the decrypted contents of requests that still have any, except those that are running.
 */
export async function* openedApprovals(ctx: Ctx): AsyncGenerator<readonly OpenedApproval[]> {
  let after = '';
  for (;;) {
    const rows = await sealedAfter(ctx, after, atOnce);
    const last = rows.at(-1);
    if (!last) return;
    yield rows.map((row) => {
      const { id, subject, note } = row;
      const held = heldCallOf(ctx.app, row);
      const file = held?.raw ? Buffer.from(held.raw.base64, 'base64').toString() : '';
      const outcome = outcomeOf(ctx.app, row);
      return { id, texts: [subject ?? '', note, file, ...textsIn(held?.fields), ...textsIn(outcome)] };
    });
    after = last.id;
  }
}

/**
 * Deletes the subjects, answers and notes of requests; those still waiting end. @returns how many it deleted
 */
export async function forgetApprovals(ctx: Ctx, ids: readonly Id<'apr'>[]): Promise<number> {
  const { forgotten, ended } = await eraseContents(ctx, ids);
  if (ended.length > 0) {
    ctx.audit('approvals.expire', undefined, { approvals: ended });
    ctx.publish('system/approvals', { kind: 'expired' });
  }
  return forgotten;
}
