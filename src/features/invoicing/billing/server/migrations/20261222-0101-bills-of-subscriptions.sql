-- Bills of single subscriptions that somebody else pays for than for the rest of their organization: without what was agreed with it.
alter table bill add column by_subscription boolean not null default false check (not by_subscription or used_by_id is not null);

-- One bill of a month stands for whoever used the services and whoever pays for them.
drop index bill_standing;
create unique index bill_standing on bill (coalesce(used_by_id, organization_id), organization_id, month, currency) where state <> 'void' and kind = 'month';
