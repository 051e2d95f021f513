// The event that an organization has another default card, or its first one, by a person's choice.
import type { Id } from '#kernel/ids.ts';
import { domainEvent } from '#platform/server/unit-of-work/domain-event.ts';

export const cardChosen = domainEvent<{ readonly organizationId: Id<'org'> }>('collection.cardChosen');
