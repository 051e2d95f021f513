-- Messages of one kind that are due, for a sender of that kind: it never looks through those of others.

create index outbox_lane on outbox (kind, due_at, id) where sent_at is null and parked_at is null and kind <> 'live';
drop index outbox_due;
-- Live messages go the order in which they came.
create index outbox_live on outbox (id) where kind = 'live' and sent_at is null;
