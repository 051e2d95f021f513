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
