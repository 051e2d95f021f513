// How the app connects a feature to the events of another one.
import type { Ctx, EventHandler } from './ctx.ts';
import type { DomainEvent } from './domain-event.ts';

/** "When A happens, B follows": runs inside the unit of work that emitted it, so both happen or neither. */
export function on<P>(event: DomainEvent<P>, handle: (ctx: Ctx, payload: P) => Promise<void>): EventHandler {
  return { event: event.name, handle: handle as EventHandler['handle'] };
}
