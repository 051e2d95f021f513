-- Messages that were given up, for whoever looks after them: few among all that were sent.
create index outbox_parked on outbox (kind, parked_at) where parked_at is not null and sent_at is null;
