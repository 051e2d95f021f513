-- Services whose usage is metered only while the organization has prepaid credit that covers them.

alter table service add column requires_prepaid_credit boolean not null default false;
create index service_prepaid on service (id) where requires_prepaid_credit;
