// Connects a handler of one feature to an event of another.
import type { Ctx, EventHandler } from './ctx.ts';
import type { DomainEvent } from './domain-event.ts';

/**
 * Makes a handler of an event. It runs inside the unit of work that emitted the event, so both take effect or
 * neither.
 */
export function on<P>(event: DomainEvent<P>, handle: (ctx: Ctx, payload: P) => Promise<void>): EventHandler {
  return { event: event.name, handle: handle as EventHandler['handle'] };
}

/** Has all handlers of an event take part in a unit of work, one after the other; what one throws refuses what emitted it. */
export async function handleEvent<P>(ctx: Ctx, event: DomainEvent<P>, payload: P): Promise<void> {
  for (const handler of ctx.app.eventHandlers)
    if (handler.event === event.name) await handler.handle(ctx, payload as never);
}
