// SQL that stores rejected events and deletes old ones.
import { sql } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { maxOpen, type StoredEvent } from '../rules.ts';

export type RejectedRow = Omit<StoredEvent, 'content'> & {
  readonly id: Id<'rej'>;
  readonly organizationId: Id<'org'> | null;
  readonly keyOrganizationId: Id<'org'> | null;
  readonly keyId: string;
  readonly digest: Buffer;
  readonly code: string;
  readonly params: Readonly<Record<string, string>>;
  readonly times: number;
};

/**
 * Stores rows in one statement: counts known ones up, and adds new ones while their key's owner has fewer
 * than {@link maxOpen} open ones (concurrent calls may exceed the limit by their own rows). Beyond the limit,
 * the newest are left out and only counted: a broken gateway must not push out older rejections.
 */
export async function upsertRejected(ctx: Ctx, rows: readonly RejectedRow[]): Promise<void> {
  const sorted = rows.toSorted((a, b) => a.digest.compare(b.digest));
  const given = JSON.stringify(
    sorted.map((row, place) => ({
      ...row,
      digest: row.digest.toString('hex'),
      owner: row.keyOrganizationId ?? row.keyId,
      place,
    })),
  );
  await sql`with given as materialized (
      select g.*, decode(g.digest, 'hex') as hash from jsonb_to_recordset(${given}::jsonb) as g (id text, "organizationId" text, "keyOrganizationId" text, "keyId" text, digest text, code text, params jsonb, times bigint,
        source text, "eventId" text, type text, subject text, "raw" text, "isComplete" boolean, owner text, place int)),
    known as (update rejected_event r set times = r.times + g.times, last_received_at = ${ctx.now} from given g where r.digest = g.hash returning r.digest),
    fresh as materialized (select g.*, row_number() over (partition by g.owner order by g.id) as turn from given g where g.hash not in (select digest from known)),
    room as materialized (select o.owner, ${maxOpen} - (select count(*) from (select 1 from rejected_event r where coalesce(r.key_organization_id, r.key_id) = o.owner and r.state = 'open' limit ${maxOpen}) as open) as free
      from (select distinct owner from fresh) o),
    added as (insert into rejected_event as r (id, organization_id, key_organization_id, key_id, digest, first_received_at, last_received_at, times, source, event_id, type, subject, code, params, raw, is_complete)
      select f.id, f."organizationId", f."keyOrganizationId", f."keyId", f.hash, ${ctx.now}, ${ctx.now}, f.times, f.source, f."eventId", f.type, f.subject, f.code, f.params, f."raw", f."isComplete"
      from fresh f join room on room.owner = f.owner where f.turn <= room.free order by f.place
      on conflict (digest) do update set times = r.times + excluded.times, last_received_at = excluded.last_received_at returning 1)
    insert into rejected_event_overflow as o (owner, organization_id, times, last_at)
      select f.owner, min(f."keyOrganizationId"), sum(f.times), ${ctx.now} from fresh f join room on room.owner = f.owner where f.turn > room.free and (select count(*) from added) >= 0 group by f.owner
      on conflict (owner) do update set times = o.times + excluded.times, last_at = excluded.last_at`.execute(
    ctx.db,
  );
}

/**
 * Deletes events last received before a given time, and the counts of events rejected beyond the limit before
 * it.
 */
export async function forgetRejected(ctx: Ctx, before: Date): Promise<void> {
  await sql`delete from rejected_event where last_received_at < ${before}`.execute(ctx.db);
  await sql`delete from rejected_event_overflow where last_at < ${before}`.execute(ctx.db);
}
