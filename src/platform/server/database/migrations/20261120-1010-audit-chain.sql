-- The audit log becomes a chain: each row carries the hash of the row before it and of itself, so that a row that is
-- changed, removed, moved or cut off from the end is found.

create table audit_head (
  one boolean primary key default true check (one),
  seq bigint not null,
  hash bytea not null
);
insert into audit_head (seq, hash) values (0, sha256(''));

alter table audit_log add column seq bigint, add column hash bytea;

-- The hash of a row after its predecessor's. jsonb has one text for one value; the unit separator keeps fields apart.
create function audit_hash(before bytea, seq bigint, id text, at timestamptz, actor_kind text, actor_id text, action text, subject text, detail jsonb, request_id text)
returns bytea language sql stable as $$
  select sha256(before || convert_to(concat_ws(chr(31), seq, id, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), actor_kind, coalesce(actor_id, ''), action, coalesce(subject, ''), detail::text, request_id), 'UTF8'))
$$;

alter table audit_log disable trigger audit_log_fixed;
do $$
declare
  entry record;
  head audit_head;
begin
  select * into head from audit_head;
  for entry in select * from audit_log order by at, id loop
    head.seq := head.seq + 1;
    head.hash := audit_hash(head.hash, head.seq, entry.id, entry.at, entry.actor_kind, entry.actor_id, entry.action, entry.subject, entry.detail, entry.request_id);
    update audit_log set seq = head.seq, hash = head.hash where id = entry.id;
  end loop;
  update audit_head set seq = head.seq, hash = head.hash;
end $$;
alter table audit_log enable trigger audit_log_fixed;
alter table audit_log alter column seq set not null, alter column hash set not null, add unique (seq);

-- The only way in: takes the head (held until the transaction ends, which is at once) and writes the next link.
create function append_audit(id text, at timestamptz, actor_kind text, actor_id text, action text, subject text, detail jsonb, request_id text)
returns void language plpgsql as $$
declare
  head audit_head;
begin
  select * into head from audit_head for update;
  head.seq := head.seq + 1;
  head.hash := audit_hash(head.hash, head.seq, id, at, actor_kind, actor_id, action, subject, detail, request_id);
  insert into audit_log values (id, at, actor_kind, actor_id, action, subject, detail, request_id, head.seq, head.hash);
  update audit_head set seq = head.seq, hash = head.hash;
end $$;

-- The first row that does not follow from the one before; no row when the whole chain holds, its end included.
create function audit_fault() returns table (seq bigint, id text, reason text) language plpgsql stable as $$
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
    if entry.hash <> audit_hash(before, entry.seq, entry.id, entry.at, entry.actor_kind, entry.actor_id, entry.action, entry.subject, entry.detail, entry.request_id) then
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
