-- Personal data can be erased from an entry of the audit log without breaking the chain: the entry keeps its hash, on which the next one
-- stands, and a later entry says of it which hash it had and what its content is now. Whoever changes an entry otherwise is still found.

create table audit_redaction (
  seq bigint primary key,
  erasure_id text not null
);

-- The SHA-256 of what an entry says, without its predecessor's hash.
create function audit_content(seq bigint, id text, at timestamptz, actor_kind text, actor_id text, action text, subject text, detail jsonb, request_id text)
returns text language sql stable as $$
  select encode(audit_hash('', seq, id, at, actor_kind, actor_id, action, subject, detail, request_id), 'hex')
$$;

-- Whether an entry is as a later, unredacted entry of the chain says that it was erased.
create function audit_is_redacted(of_seq bigint, of_hash bytea, content text) returns boolean language sql stable as $$
  select exists (
    select from audit_redaction r join audit_log n on n.subject = r.erasure_id and n.action = 'personaldata.redact' and n.seq > r.seq
    where r.seq = of_seq and not exists (select from audit_redaction again where again.seq = n.seq)
      and n.detail -> 'entries' @> jsonb_build_array(jsonb_build_object('seq', of_seq, 'hash', encode(of_hash, 'hex'), 'content', content))
  )
$$;

create or replace function audit_fault() returns table (seq bigint, id text, reason text) language plpgsql stable as $$
declare
  entry record;
  head audit_head;
  before bytea := sha256('');
  expected bigint := 0;
begin
  for entry in select * from audit_log order by audit_log.seq loop
    expected := expected + 1;
    if entry.seq <> expected then
      return query select expected, entry.id, 'a row is missing before this one';
      return;
    end if;
    if entry.hash <> audit_hash(before, entry.seq, entry.id, entry.at, entry.actor_kind, entry.actor_id, entry.action, entry.subject, entry.detail, entry.request_id)
      and not audit_is_redacted(entry.seq, entry.hash, audit_content(entry.seq, entry.id, entry.at, entry.actor_kind, entry.actor_id, entry.action, entry.subject, entry.detail, entry.request_id)) then
      return query select entry.seq, entry.id, 'this row was changed';
      return;
    end if;
    before := entry.hash;
  end loop;
  select * into head from audit_head;
  if head.seq <> expected or head.hash <> before then
    return query select expected + 1, null::text, 'rows are missing at the end';
  end if;
end $$;

create or replace function audit_fault_in(first bigint, last bigint) returns table (seq bigint, id text, reason text) language sql stable as $$
  with before as (select b.seq, b.hash from audit_log b where b.seq < first order by b.seq desc limit 1),
  walked as (
    select a.*, lag(a.seq, 1, coalesce((select before.seq from before), 0)) over w as seq_before, lag(a.hash, 1, coalesce((select before.hash from before), sha256(''))) over w as hash_before
    from audit_log a where a.seq between first and last window w as (order by a.seq)
  )
  select case when w.seq = w.seq_before + 1 then w.seq else w.seq_before + 1 end, w.id, case when w.seq = w.seq_before + 1 then 'changed' else 'missing' end
  from walked w where w.seq <> w.seq_before + 1 or (
    w.hash <> audit_hash(w.hash_before, w.seq, w.id, w.at, w.actor_kind, w.actor_id, w.action, w.subject, w.detail, w.request_id)
    and not audit_is_redacted(w.seq, w.hash, audit_content(w.seq, w.id, w.at, w.actor_kind, w.actor_id, w.action, w.subject, w.detail, w.request_id)))
  order by w.seq limit 1
$$;
