-- All subscriptions of an organization, those that ended too: the one for open ones alone cannot find them.

create index subscription_of_organization on subscription (organization_id, id);
