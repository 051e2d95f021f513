-- Bills of resellers for late usage of a month in which they sold, to whoever has left them since: beside those of months.
alter table retail_bill add column kind text not null default 'month' check (kind in ('month', 'late'));
alter table retail_bill drop constraint retail_bill_organization_id_month_currency_key;
create unique index retail_bill_of_month on retail_bill (organization_id, month, currency) where kind = 'month';
create or replace function retail_bill_only_paid() returns trigger language plpgsql as $$
begin
  if (old.id, old.kind, old.reseller_id, old.organization_id, old.month, old.currency, old.sequence, old.number, old.issued_at, old.due_at, old.net_minor, old.tax_rate, old.tax_minor, old.total_minor, old.seller, old.buyer) is distinct from
     (new.id, new.kind, new.reseller_id, new.organization_id, new.month, new.currency, new.sequence, new.number, new.issued_at, new.due_at, new.net_minor, new.tax_rate, new.tax_minor, new.total_minor, new.seller, new.buyer) then
    raise exception 'of a retail bill only the payment is noted' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
