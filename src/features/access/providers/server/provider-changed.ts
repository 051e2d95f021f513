// The event that an Admin changed a provider: roles of its groups may have changed.
import { domainEvent } from '#platform/server/unit-of-work/domain-event.ts';

export const providerChanged = domainEvent<{ readonly providerId: string }>('providers.changed');
