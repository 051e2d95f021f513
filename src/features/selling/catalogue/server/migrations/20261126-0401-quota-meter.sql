-- The key of the meter that a service's limit is of; null: the service's own meter. A console of the last release, which does not know
-- it, goes on limiting services' own meters only.
alter table service add column quota_meter text;
