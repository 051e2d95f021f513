-- Live tickets are signed, so that making one writes nothing; only those that were used are kept, until they would have run out.
drop table live_ticket;
create table live_ticket_used (
  hash bytea primary key,
  expires_at timestamptz not null
);
create index live_ticket_used_until on live_ticket_used (expires_at);
