-- Add-ons: subscriptions of a further service that begin and end by themselves, but never outlive the one that they were added to.

alter table subscription add column parent_id text references subscription;
create index subscription_of_parent on subscription (parent_id) where parent_id is not null;
-- One open subscription of a service; of an add-on one for each subscription that it is added to.
drop index subscription_open;
create unique index subscription_open on subscription (organization_id, service_id, coalesce(parent_id, '')) where state <> 'canceled' and state <> 'expired';
