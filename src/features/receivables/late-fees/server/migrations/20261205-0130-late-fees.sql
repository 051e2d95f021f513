-- Late fees. The terms are kept as they were: those of a bill are the ones of the moment at which it was issued.
create table late_fee_terms (
  version integer generated always as identity primary key,
  since timestamptz not null,
  -- Null: late fees are off from then on.
  terms jsonb,
  made_by text not null,
  maker_name text not null
);
create trigger late_fee_terms_fixed before update or delete on late_fee_terms for each row execute function refuse_change();
create trigger late_fee_terms_kept before truncate on late_fee_terms for each statement execute function refuse_change();

create table late_fee (
  id text primary key,
  bill_id text not null references bill,
  organization_id text not null references organization,
  -- The last day that it is for, or the step of the ladder: once for each.
  period text not null,
  currency char(3) not null,
  amount_minor bigint not null check (amount_minor > 0),
  -- Days with what was late on them; empty for a step.
  stretches jsonb not null,
  step_day integer,
  one_off_id text not null unique references one_off_charge,
  made_at timestamptz not null,
  -- When it was on a bill already and a credit note gave it back.
  credit_note_id text references credit_note,
  waive_reason text not null default '',
  unique (bill_id, period)
);
create index late_fee_of_organization on late_fee (organization_id);

-- Through which day a bill was looked at; what was forgiven while its organization was left out is never charged later.
create table late_fee_progress (
  bill_id text primary key references bill,
  through_on date not null,
  forgiven_minor bigint not null default 0,
  -- Nothing was due any more at that time: it is looked at again when it is open again.
  is_settled boolean not null
);
