// Connects a handler of one feature to an event of another.
import type { Ctx, EventHandler } from './ctx.ts';
import type { DomainEvent } from './domain-event.ts';

/**
 * Creates a handler for an event. It runs inside the unit of work that emitted the event, so both take effect
 * or neither does.
 */
export function on<P>(event: DomainEvent<P>, handle: (ctx: Ctx, payload: P) => Promise<void>): EventHandler {
  return { event: event.name, handle: handle as EventHandler['handle'] };
}

/** Runs all handlers of an event in a unit of work, one after another; if one throws, the emitting operation fails. */
export async function handleEvent<P>(ctx: Ctx, event: DomainEvent<P>, payload: P): Promise<void> {
  for (const handler of ctx.app.eventHandlers)
    if (handler.event === event.name) await handler.handle(ctx, payload as never);
}
