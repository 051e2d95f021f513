-- Credit notes, voided and replaced bills, and notes on bills: written once, never changed.

create table credit_series (
  series text primary key,
  last_number integer not null
);

create table credit_note (
  id text primary key,
  bill_id text not null references bill,
  organization_id text not null references organization,
  currency char(3) not null,
  series text not null,
  sequence integer not null,
  number text not null unique,
  issued_at timestamptz not null,
  issued_by text not null,
  issuer_name text not null,
  reason text not null,
  net_minor bigint not null,
  tax_minor bigint not null,
  total_minor bigint not null check (total_minor > 0),
  -- How it was settled: off what was due, and to the balance what had been paid already.
  to_due_minor bigint not null check (to_due_minor >= 0),
  to_balance_minor bigint not null check (to_balance_minor >= 0),
  content_hash text not null,
  unique (series, sequence),
  check (total_minor = net_minor + tax_minor),
  check (total_minor = to_due_minor + to_balance_minor)
);
create index credit_note_newest on credit_note (issued_at desc, id desc);
create index credit_note_of_organization on credit_note (organization_id, issued_at desc, id desc);
create index credit_note_of_bill on credit_note (bill_id, id);
call count_rows_of('credit_note', 'currency', 'currency');
create trigger credit_note_fixed before update or delete on credit_note for each row execute function refuse_change();
create trigger credit_note_kept before truncate on credit_note for each statement execute function refuse_change();

-- What a note takes of each line of its bill.
create table credit_note_line (
  credit_note_id text not null references credit_note,
  bill_id text not null,
  position integer not null,
  net_minor bigint not null,
  tax_minor bigint not null,
  primary key (credit_note_id, position),
  foreign key (bill_id, position) references bill_line (bill_id, position)
);
create index credit_note_line_of_bill on credit_note_line (bill_id, position);
create trigger credit_note_line_fixed before update or delete on credit_note_line for each row execute function refuse_change();
create trigger credit_note_line_kept before truncate on credit_note_line for each statement execute function refuse_change();

-- Who took a bill back whole, when, why, and what of it had not been credited yet.
create table bill_void (
  bill_id text primary key references bill,
  organization_id text not null references organization,
  currency char(3) not null,
  voided_at timestamptz not null,
  voided_by text not null,
  voider_name text not null,
  reason text not null,
  net_minor bigint not null,
  tax_minor bigint not null,
  to_due_minor bigint not null check (to_due_minor >= 0),
  to_balance_minor bigint not null,
  check (net_minor + tax_minor = to_due_minor + to_balance_minor)
);
create trigger bill_void_fixed before update or delete on bill_void for each row execute function refuse_change();
create trigger bill_void_kept before truncate on bill_void for each statement execute function refuse_change();

-- Which bill stands for which void one; each is replaced once.
create table bill_replacement (
  bill_id text primary key references bill_void,
  replaced_by text not null unique references bill,
  check (bill_id <> replaced_by)
);
create trigger bill_replacement_fixed before update or delete on bill_replacement for each row execute function refuse_change();
create trigger bill_replacement_kept before truncate on bill_replacement for each statement execute function refuse_change();

-- What an Admin remarks on a bill, for colleagues or for the customer.
create table bill_note (
  id text primary key,
  bill_id text not null references bill,
  visible_to text not null check (visible_to in ('admins', 'customer')),
  body text not null,
  written_at timestamptz not null,
  written_by text not null,
  writer_name text not null
);
create index bill_note_of_bill on bill_note (bill_id, id);
create trigger bill_note_fixed before update or delete on bill_note for each row execute function refuse_change();
create trigger bill_note_kept before truncate on bill_note for each statement execute function refuse_change();
