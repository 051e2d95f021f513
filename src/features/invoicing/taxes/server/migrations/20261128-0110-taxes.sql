-- Tax rates by country and category: a row holds from its day until the next one of the same country and category.

create table tax_rate (
  id text primary key,
  country char(2) not null,
  category text not null check (category in ('standard', 'reduced', 'second_reduced')),
  -- In percent; null: from this day on there is no such rate.
  rate numeric check (rate >= 0 and rate <= 100),
  valid_from date not null,
  -- Null for the rates that come with the console.
  added_by text,
  added_at timestamptz not null default now(),
  unique (country, category, valid_from)
);
create function refuse_tax_rate_change() returns trigger language plpgsql as $$
begin
  raise exception 'a tax rate is never changed, only followed by another' using errcode = 'restrict_violation';
end $$;
create trigger tax_rate_fixed before update on tax_rate for each row execute function refuse_tax_rate_change();

-- Rates of the EU's members, the United Kingdom and Taiwan as of November 2026. EU: European Commission, "Taxes in Europe Database";
-- United Kingdom: HM Revenue & Customs, "VAT rates"; Taiwan: Value-added and Non-value-added Business Tax Act, article 10. Where a
-- country has two reduced rates, the higher one is the reduced, the lower one the second.
insert into tax_rate (id, country, category, rate, valid_from)
select 'txr_' || left(md5(country || category || valid_from), 26),
  country, case category when 's' then 'standard' when 'r' then 'reduced' else 'second_reduced' end, rate::numeric, valid_from::date
from (values
  ('AT','s','20','2024-01-01'), ('AT','r','13','2024-01-01'), ('AT','2','10','2024-01-01'),
  ('BE','s','21','2024-01-01'), ('BE','r','12','2024-01-01'), ('BE','2','6','2024-01-01'),
  ('BG','s','20','2024-01-01'), ('BG','r','9','2024-01-01'),
  ('CY','s','19','2024-01-01'), ('CY','r','9','2024-01-01'), ('CY','2','5','2024-01-01'),
  ('CZ','s','21','2024-01-01'), ('CZ','r','12','2024-01-01'),
  ('DE','s','19','2024-01-01'), ('DE','r','7','2024-01-01'),
  ('DK','s','25','2024-01-01'),
  ('EE','s','22','2024-01-01'), ('EE','s','24','2025-07-01'), ('EE','r','13','2025-01-01'), ('EE','2','9','2024-01-01'),
  ('ES','s','21','2024-01-01'), ('ES','r','10','2024-01-01'),
  ('FI','s','24','2024-01-01'), ('FI','s','25.5','2024-09-01'), ('FI','r','14','2024-01-01'), ('FI','r','13.5','2026-01-01'), ('FI','2','10','2024-01-01'),
  ('FR','s','20','2024-01-01'), ('FR','r','10','2024-01-01'), ('FR','2','5.5','2024-01-01'),
  ('GR','s','24','2024-01-01'), ('GR','r','13','2024-01-01'), ('GR','2','6','2024-01-01'),
  ('HR','s','25','2024-01-01'), ('HR','r','13','2024-01-01'), ('HR','2','5','2024-01-01'),
  ('HU','s','27','2024-01-01'), ('HU','r','18','2024-01-01'), ('HU','2','5','2024-01-01'),
  ('IE','s','23','2024-01-01'), ('IE','r','13.5','2024-01-01'), ('IE','2','9','2024-01-01'),
  ('IT','s','22','2024-01-01'), ('IT','r','10','2024-01-01'), ('IT','2','5','2024-01-01'),
  ('LT','s','21','2024-01-01'), ('LT','r','9','2024-01-01'), ('LT','r','12','2026-01-01'), ('LT','2','5','2024-01-01'),
  ('LU','s','17','2024-01-01'), ('LU','r','8','2024-01-01'),
  ('LV','s','21','2024-01-01'), ('LV','r','12','2024-01-01'), ('LV','2','5','2024-01-01'),
  ('MT','s','18','2024-01-01'), ('MT','r','7','2024-01-01'), ('MT','2','5','2024-01-01'),
  ('NL','s','21','2024-01-01'), ('NL','r','9','2024-01-01'),
  ('PL','s','23','2024-01-01'), ('PL','r','8','2024-01-01'), ('PL','2','5','2024-01-01'),
  ('PT','s','23','2024-01-01'), ('PT','r','13','2024-01-01'), ('PT','2','6','2024-01-01'),
  ('RO','s','19','2024-01-01'), ('RO','s','21','2025-08-01'), ('RO','r','9','2024-01-01'), ('RO','r','11','2025-08-01'), ('RO','2','5','2024-01-01'), ('RO','2',null,'2025-08-01'),
  ('SE','s','25','2024-01-01'), ('SE','r','12','2024-01-01'), ('SE','2','6','2024-01-01'),
  ('SI','s','22','2024-01-01'), ('SI','r','9.5','2024-01-01'), ('SI','2','5','2024-01-01'),
  ('SK','s','20','2024-01-01'), ('SK','s','23','2025-01-01'), ('SK','r','10','2024-01-01'), ('SK','r','19','2025-01-01'), ('SK','2','5','2024-01-01'),
  ('GB','s','20','2024-01-01'), ('GB','r','5','2024-01-01'),
  ('TW','s','5','2024-01-01')
) as rates (country, category, rate, valid_from);

-- How services are taxed that are not at the standard rate.
create table service_tax (
  service_id text primary key references service,
  category text not null check (category in ('reduced', 'second_reduced', 'zero', 'exempt', 'goods')),
  set_by text not null,
  set_at timestamptz not null
);

-- What VIES, the register of VAT ids of the EU, answered.
create table vat_check (
  id text primary key,
  organization_id text not null references organization,
  vat_id text not null,
  state text not null check (state in ('valid', 'invalid', 'not_checked')),
  checked_at timestamptz not null,
  request_id text not null,
  name text not null,
  address text not null
);
create index vat_check_newest on vat_check (organization_id, id desc);
create trigger vat_check_fixed before update or delete on vat_check for each row execute function refuse_change();
create trigger vat_check_kept before truncate on vat_check for each statement execute function refuse_change();
