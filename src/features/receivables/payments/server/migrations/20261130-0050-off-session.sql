-- Payments that charge a saved card without its holder: asked about by collection, which knows their attempt.

alter table payment add column is_off_session boolean not null default false;
drop index payment_waiting;
create index payment_waiting on payment (created_at) where state = 'pending' and method in ('stripe', 'ecpay') and not is_off_session;
