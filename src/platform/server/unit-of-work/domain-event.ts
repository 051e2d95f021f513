// Domain events: what happened in a feature. The app connects them to handlers in features that build on it.

/** An event, named in the past tense, with the data that its handlers need. */
export type DomainEvent<P> = { readonly name: string; readonly payload?: P };

/** Declares a domain event. Its payload type is checked where it is emitted and where it is handled. */
export function domainEvent<P>(name: string): DomainEvent<P> {
  return { name };
}
