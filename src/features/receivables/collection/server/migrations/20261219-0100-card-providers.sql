-- Cards are kept by more than one provider: each customer, entry and card says by which.

alter table card_customer add column provider text not null default 'stripe' check (provider in ('stripe', 'ecpay'));
alter table card_customer alter column provider drop default;
alter table card_customer drop constraint card_customer_pkey;
alter table card_customer add primary key (organization_id, provider);

alter table card_setup add column provider text not null default 'stripe' check (provider in ('stripe', 'ecpay'));
alter table card_setup alter column provider drop default;
-- What opens the provider's part of our own page, where it has no page of its own. Worth nothing once the card is entered.
alter table card_setup add column entry_token text;

alter table saved_card add column provider text not null default 'stripe' check (provider in ('stripe', 'ecpay'));
alter table saved_card alter column provider drop default;
