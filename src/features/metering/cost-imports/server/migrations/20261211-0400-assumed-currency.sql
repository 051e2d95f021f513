-- The currency that a source gives to rows that name none, and how many rows of an import took it.
alter table cost_source add column assumed_currency char(3);
alter table cost_import add column assumed_rows bigint not null default 0, add column assumed_currency char(3);
