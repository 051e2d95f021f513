-- Reading the audit log: every filter comes newest first from an index of its own, and the chain is walked in stretches.

create index audit_log_newest on audit_log (at desc, id desc);
create index audit_log_of_actor on audit_log (actor_id, at desc, id desc) where actor_id is not null;
create index audit_log_of_action on audit_log (action, at desc, id desc);
create index audit_log_of_subject on audit_log (subject, at desc, id desc) where subject is not null;
create index audit_log_of_request on audit_log (request_id);

-- The first row of a stretch that does not follow from the one before it; no row when all do.
create function audit_fault_in(first bigint, last bigint) returns table (seq bigint, id text, reason text) language sql stable as $$
  with before as (select b.seq, b.hash from audit_log b where b.seq < first order by b.seq desc limit 1),
  walked as (
    select a.*, lag(a.seq, 1, coalesce((select before.seq from before), 0)) over w as seq_before, lag(a.hash, 1, coalesce((select before.hash from before), sha256(''))) over w as hash_before
    from audit_log a where a.seq between first and last window w as (order by a.seq)
  )
  select case when w.seq = w.seq_before + 1 then w.seq else w.seq_before + 1 end, w.id, case when w.seq = w.seq_before + 1 then 'changed' else 'missing' end
  from walked w where w.seq <> w.seq_before + 1 or w.hash <> audit_hash(w.hash_before, w.seq, w.id, w.at, w.actor_kind, w.actor_id, w.action, w.subject, w.detail, w.request_id)
  order by w.seq limit 1
$$;
