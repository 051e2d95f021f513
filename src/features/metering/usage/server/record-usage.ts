// Usage that another feature records in its own transaction: imports, replayed events, committed
// reservations.
import { required } from '#kernel/assert.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { ItemResult, Origin, ParsedCall } from './incoming-events.ts';
import { recordCalls } from './ingest-events.ts';
import { readRatingContext, subscriptionIdsIn } from './rating-context.ts';

/**
 * Records events and answers one result each, in their order. `origin` limits them to one organization's
 * subscriptions. Accepted ones are durable once the transaction commits.
 */
export async function recordUsage(
  ctx: Ctx,
  events: ParsedCall['events'],
  origin: Origin,
): Promise<ItemResult[]> {
  const calls = [{ events, origin }];
  const context = await readRatingContext(ctx, subscriptionIdsIn(calls));
  return required((await recordCalls(ctx, calls, context, 'careful'))[0], 'the results of the call');
}
