-- What a bill's document says besides the bill itself: seller, console and time zone as they were when it was issued. Kept once for
-- all bills that say the same.

create table bill_letterhead (
  -- The digest of what it says.
  id text primary key,
  brand text not null,
  seller jsonb not null,
  time_zone text not null
);
create trigger bill_letterhead_fixed before update or delete on bill_letterhead for each row execute function refuse_change();
create trigger bill_letterhead_kept before truncate on bill_letterhead for each statement execute function refuse_change();

-- Null on bills of before: they say it as it is now. No foreign key: what it names is never removed, and a close writes many thousands.
alter table bill add column letterhead_id text;
