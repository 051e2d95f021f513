// Emitted when a user chose another default card, or an organization's first one.
import type { Id } from '#kernel/ids.ts';
import { domainEvent } from '#platform/server/unit-of-work/domain-event.ts';

export const cardChosen = domainEvent<{ readonly organizationId: Id<'org'> }>('collection.cardChosen');
