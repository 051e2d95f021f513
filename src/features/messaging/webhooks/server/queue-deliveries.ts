// Turns notices to organizations into deliveries to their endpoints, in the same transaction, each exactly
// once.
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { PostedNotice } from '#features/messaging/notifications/server/index.ts';
import { readable } from '#features/messaging/notifications/rules.ts';
import { testType, type SentType } from '../contract.ts';
import { eventData, eventTypeOf } from '../rules.ts';
import { listenersOf, type Listener } from './store.ts';
import { insertDeliveries, type NewDelivery } from './store-deliveries.ts';
import { wake } from './deliver.ts';

/**
 * Queues a delivery for every endpoint that subscribes to a notice. For organizations without endpoints, it
 * costs a single query in total.
 */
export async function queueDeliveries(ctx: Ctx, posted: readonly PostedNotice[]): Promise<void> {
  if (posted.length === 0) return;
  const listeners = Map.groupBy(
    await listenersOf(ctx, [...new Set(posted.map((each) => each.organizationId))]),
    (listener) => listener.organizationId,
  );
  if (listeners.size === 0) return;
  const made = posted.flatMap(({ organizationId, notice }) => {
    const type = eventTypeOf(notice);
    return (listeners.get(organizationId) ?? [])
      .filter(({ eventTypes }) => eventTypes === null || eventTypes.includes(type))
      .map((listener) =>
        delivery(ctx, listener, type, `${notice.kind} ${notice.subject} ${notice.period}`, {
          ...eventData(notice, organizationId),
          message: ctx.text(notice.textKey, readable(notice.params, listener.language), listener.language),
          ...(notice.link !== null && { link: `${ctx.app.address()}${notice.link}` }),
        }),
      );
  });
  await insertAndWake(ctx, made);
}

/** Queues a test event; returns its id. */
export async function queueTestDelivery(
  ctx: Ctx,
  listener: Pick<Listener, 'id' | 'organizationId' | 'language'>,
): Promise<NewDelivery['id']> {
  const { id, organizationId, language } = listener;
  const made = delivery(ctx, { id }, testType, `test ${ctx.newId('out')}`, {
    organizationId,
    message: ctx.text('webhooks.test_message', {}, language),
  });
  await insertAndWake(ctx, [made]);
  return made.id;
}

/** The body is written once, so that every attempt sends the same bytes and its signature can be verified. */
function delivery(
  ctx: Ctx,
  { id: endpointId }: Pick<Listener, 'id'>,
  type: SentType,
  eventKey: string,
  data: Readonly<Record<string, unknown>>,
): NewDelivery {
  return {
    id: ctx.newId('whd'),
    endpointId,
    eventKey,
    type,
    body: JSON.stringify({ type, timestamp: ctx.now.toISOString(), data }),
  };
}

async function insertAndWake(ctx: Ctx, made: readonly NewDelivery[]): Promise<void> {
  if (made.length === 0) return;
  for (const endpointId of await insertDeliveries(ctx, made)) wake(ctx, endpointId);
}
