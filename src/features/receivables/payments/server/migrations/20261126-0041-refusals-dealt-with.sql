-- A refused event that an administrator has looked into: by whom, when, and what was done. It stays in the list.

alter table payment_refusal add column settled_at timestamptz, add column settled_by text, add column settle_note text not null default '',
  add constraint payment_refusal_settled check ((settled_at is null) = (settled_by is null));
create index payment_refusal_unsettled on payment_refusal (last_at desc, provider, event_id) where settled_at is null;
