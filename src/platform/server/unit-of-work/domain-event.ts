// Domain events: what a feature says has happened; the app connects the handlers of features that are built on it.

/** Something that happened, named in the past tense, with what others need to know about it. */
export type DomainEvent<P> = { readonly name: string; readonly payload?: P };

/** Declares a domain event. Its payload type is checked where it is emitted and where it is handled. */
export function domainEvent<P>(name: string): DomainEvent<P> {
  return { name };
}
