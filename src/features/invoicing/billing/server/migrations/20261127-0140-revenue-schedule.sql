-- Fees that are billed in advance for more than a month: what of which line is for which later month, and when it became revenue.

-- What became revenue at once: of an organization and a month, with its ledger transaction.
create table revenue_recognition (
  id text primary key,
  organization_id text not null references organization,
  currency char(3) not null,
  month char(7) not null,
  -- Below zero where more was given back than was earned; zero where both cancel each other out.
  minor bigint not null,
  at timestamptz not null
);
create index revenue_recognition_of_organization on revenue_recognition (organization_id, month);
create trigger revenue_recognition_fixed before update or delete on revenue_recognition for each row execute function refuse_change();
create trigger revenue_recognition_kept before truncate on revenue_recognition for each statement execute function refuse_change();

create table revenue_schedule (
  bill_id text not null references bill,
  position integer not null,
  month char(7) not null,
  -- Empty: as it was billed. Else the credit note that took some of it back, or 'void'.
  source text not null,
  organization_id text not null references organization,
  currency char(3) not null,
  -- Of a fee above zero; of what gives back later months, and of what is taken back of a fee, below.
  minor bigint not null check (minor <> 0),
  recognition_id text references revenue_recognition,
  primary key (bill_id, position, month, source),
  foreign key (bill_id, position) references bill_line (bill_id, position)
);
create index revenue_schedule_open on revenue_schedule (month, organization_id) where recognition_id is null;
create index revenue_schedule_open_of_organization on revenue_schedule (organization_id) where recognition_id is null;
create index revenue_schedule_recognized on revenue_schedule (recognition_id) where recognition_id is not null;

-- Rows are only added, and become revenue once.
create function keep_revenue_schedule() returns trigger language plpgsql as $$
begin
  if (old.bill_id, old.position, old.month, old.source, old.organization_id, old.currency, old.minor) is distinct from (new.bill_id, new.position, new.month, new.source, new.organization_id, new.currency, new.minor)
    or old.recognition_id is not null then
    raise exception 'the revenue of bill %, line %, month % is fixed', old.bill_id, old.position, old.month using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger revenue_schedule_once before update on revenue_schedule for each row execute function keep_revenue_schedule();
create trigger revenue_schedule_fixed before delete on revenue_schedule for each row execute function refuse_change();
create trigger revenue_schedule_kept before truncate on revenue_schedule for each statement execute function refuse_change();
