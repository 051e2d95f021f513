// Records usage for other features in their own transaction: imports, replayed events, committed
// reservations.
import { required } from '#kernel/assert.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { ItemResult, Origin, ParsedCall } from './incoming-events.ts';
import { recordCalls } from './ingest-events.ts';
import { readRatingContext, subscriptionIdsIn } from './rating-context.ts';

/**
 * Records events and returns one result each, in order. `origin` restricts them to one organization's
 * subscriptions. Accepted events are durable once the transaction commits.
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
