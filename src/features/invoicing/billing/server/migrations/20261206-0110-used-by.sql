-- Bills that one organization pays for another. `organization_id` is whom the bill is for: who owes and pays it. `used_by_id` is who used
-- the services, with its name as it was; null where that is the same one, as on all bills of before.
alter table bill
  add column used_by_id text references organization check (used_by_id <> organization_id),
  add column used_by_name text,
  add constraint bill_used_by_named check ((used_by_id is null) = (used_by_name is null));
create index bill_used_by on bill (used_by_id, id) where used_by_id is not null;

-- One bill of a month stands for whoever used the services, whoever pays it.
drop index bill_standing;
create unique index bill_standing on bill (coalesce(used_by_id, organization_id), month, currency) where state <> 'void' and kind = 'month';
