// SQL of the list of erasures: their subjects, obstacles, progress and certificates.
import { sql } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { LocalDay } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Counted, Erasure, Remaining, obstacleKinds } from '../contract.ts';
import type { NamedPerson } from '../rules-erasure.ts';

export type Subject = {
  readonly kind: Erasure['kind'];
  readonly id: Id<'org'> | Id<'usr'>;
  readonly name: string;
  readonly organizationId: Id<'org'> | null;
  readonly userId: Id<'usr'> | null;
  readonly isErased: boolean;
};

/** Returns the organization or the person with an id; undefined when there is none. */
export async function subjectById(ctx: Ctx, subjectId: string): Promise<Subject | undefined> {
  const { rows } =
    await sql<Subject>`select 'organization' as kind, o.id, o.name, o.id as "organizationId", null as "userId", exists (select from erasure e where e.organization_id = o.id and e.kind = 'organization') as "isErased" from organization o where o.id = ${subjectId}
    union all select 'person', u.id, u.name, u.organization_id, u.id, u.erased_at is not null and exists (select from erasure e where e.user_id = u.id) from app_user u where u.id = ${subjectId}`.execute(
      ctx.db,
    );
  return rows[0];
}

/** Returns the people whom an erasure concerns. */
export async function peopleOf(
  ctx: Ctx,
  { organizationId, userId }: Pick<Subject, 'organizationId' | 'userId'>,
): Promise<(NamedPerson & { readonly id: Id<'usr'> })[]> {
  const { rows } = await sql<
    NamedPerson & { readonly id: Id<'usr'> }
  >`select id, name, account, phone, address from app_user where ${userId === null ? sql`organization_id = ${organizationId}` : sql`id = ${userId}`} order by id`.execute(
    ctx.db,
  );
  return rows;
}

/** Returns an organization's contact data, apart from its people. */
export async function contactsOf(
  ctx: Ctx,
  organizationId: string,
): Promise<{ email: string; electronicAddress: string; address: string } | undefined> {
  const { rows } = await sql<{
    email: string;
    electronicAddress: string;
    address: string;
  }>`select billing_email as email, electronic_address as "electronicAddress", billing_address as address from organization where id = ${organizationId}`.execute(
    ctx.db,
  );
  return rows[0];
}

/** Returns further e-mail addresses: of invited people, and of people's accounts at other providers. */
export async function otherAddresses(
  ctx: Ctx,
  { organizationId, userId }: Pick<Subject, 'organizationId' | 'userId'>,
): Promise<string[]> {
  const ofPeople = userId === null ? sql`u.organization_id = ${organizationId}` : sql`u.id = ${userId}`;
  const invited =
    userId === null ? sql`i.organization_id = ${organizationId}` : sql`i.accepted_by = ${userId}`;
  const { rows } = await sql<{
    email: string;
  }>`select x.email from external_identity x join app_user u on u.id = x.user_id where ${ofPeople} union select i.email from invitation i where ${invited}`.execute(
    ctx.db,
  );
  return rows.map(({ email }) => email);
}

/** Clears an organization's contact data; its name becomes `pseudonym`. */
export async function emptyOrganization(ctx: Ctx, organizationId: string, pseudonym: string): Promise<void> {
  await sql`update organization set name = ${pseudonym}, billing_email = '', billing_address = '', electronic_address = '', billing_reference = '', purchase_order = '', closed_reason = '' where id = ${organizationId}`.execute(
    ctx.db,
  );
}

type ObstacleRow = { readonly kind: (typeof obstacleKinds)[number]; readonly count: number };

/**
 * Returns the obstacles to an erasure: open amounts, running services, months that are not billed. Empty when
 * there are none.
 */
export async function obstaclesOf(ctx: Ctx, { kind, id }: Subject): Promise<ObstacleRow[]> {
  const found =
    kind === 'person'
      ? sql`select 'not_deleted' as kind, count(*) as count from app_user where id = ${id} and status <> 'deleted'`
      : sql`select 'not_closed' as kind, count(*) as count from organization where id = ${id} and closed_at is null
    union all select 'open_bills', count(*) from bill where organization_id = ${id} and state = 'open'
    union all select 'balance', count(*) from ledger_account where organization_id = ${id} and kind = 'balance' and balance_minor <> 0
    union all select 'pending_payments', (select count(*) from payment where organization_id = ${id} and state = 'pending') + (select count(*) from payment_refund where organization_id = ${id} and state = 'pending')
    union all select 'disputes', count(*) from payment_dispute where organization_id = ${id} and closed_at is null
    union all select 'subscriptions', count(*) from subscription where organization_id = ${id} and state not in ('canceled', 'expired')
    union all select 'unbilled', count(*) from organization o where o.id = ${id} and exists (select from subscription s where s.organization_id = o.id) and not exists
      (select from month_closed m where m.organization_id = o.id and m.month >= to_char(coalesce(o.closed_at, ${ctx.now}) at time zone o.time_zone, 'YYYY-MM'))`;
  const { rows } = await sql<{
    kind: ObstacleRow['kind'];
    count: bigint;
  }>`select kind, count from (${found}) as f where count > 0`.execute(ctx.db);
  return rows.map(({ kind: what, count }) => ({ kind: what, count: Number(count) }));
}

/** Returns the year of an organization's last bill; null when it has none. */
export async function lastBillYear(ctx: Ctx, organizationId: string | null): Promise<number | null> {
  if (organizationId === null) return null;
  const { rows } = await sql<{
    year: number | null;
  }>`select max(left(month, 4)::int) as year from bill where organization_id = ${organizationId}`.execute(
    ctx.db,
  );
  return rows[0]?.year ?? null;
}

const columns = sql`e.id, e.kind, coalesce(e.user_id, e.organization_id) as "subjectId", coalesce(u.name, o.name) as subject, e.state, e.reason, e.asked_at as "askedAt", coalesce(a.name, e.asked_by) as "askedBy", e.finished_at as "finishedAt",
  (select coalesce(sum((c ->> 'deleted')::int), 0)::float8 from jsonb_each(e.counts) as x (k, c)) as deleted, (select coalesce(sum((c ->> 'changed')::int), 0)::float8 from jsonb_each(e.counts) as x (k, c)) as changed,
  e.remains, e.backups_until as "backupsUntil", e.books_until as "booksUntil", e.checked_at as "checkedAt"`;
const tables = sql`erasure e left join organization o on o.id = e.organization_id left join app_user u on u.id = e.user_id left join app_user a on a.id = e.asked_by`;
const shownErasures = 50;

export async function newestErasures(ctx: Ctx): Promise<Erasure[]> {
  return (
    await sql<Erasure>`select ${columns} from ${tables} order by e.asked_at desc, e.id desc limit ${shownErasures}`.execute(
      ctx.db,
    )
  ).rows;
}

export async function erasureById(ctx: Ctx, erasureId: string): Promise<Erasure | undefined> {
  return (await sql<Erasure>`select ${columns} from ${tables} where e.id = ${erasureId}`.execute(ctx.db))
    .rows[0];
}

/**
 * Adds an erasure, unless one of the same subject is in progress or has the same id. Returns whether it did.
 */
export async function insertErasure(
  ctx: Ctx,
  erasure: {
    readonly id: string;
    readonly kind: Erasure['kind'];
    readonly organizationId: string | null;
    readonly userId: string | null;
    readonly reason: string;
    readonly askedBy: string;
    readonly askedAt: Date;
    readonly terms: Buffer;
  },
): Promise<boolean> {
  const { rows } =
    await sql`insert into erasure (id, kind, organization_id, user_id, state, reason, asked_at, asked_by, terms)
    values (${erasure.id}, ${erasure.kind}, ${erasure.organizationId}, ${erasure.userId}, 'waiting', ${erasure.reason}, ${erasure.askedAt}, ${erasure.askedBy}, ${erasure.terms}) on conflict do nothing returning id`.execute(
      ctx.db,
    );
  return rows.length > 0;
}

export type RunningErasure = {
  readonly id: Id<'ers'>;
  readonly kind: Erasure['kind'];
  readonly organizationId: Id<'org'> | null;
  readonly userId: Id<'usr'> | null;
  readonly reason: string;
  readonly askedAt: Date;
  readonly askedBy: string;
  readonly terms: Buffer | null;
  readonly counts: Readonly<Record<string, { deleted: number; changed: number }>>;
  readonly remains: readonly Remaining[];
};
const running = sql`id, kind, organization_id as "organizationId", user_id as "userId", reason, asked_at as "askedAt", asked_by as "askedBy", terms, counts, remains`;

/**
 * Marks an erasure as running; undefined when it is done. It may be running already: after a crash it starts
 * again.
 */
export async function beginErasure(ctx: Ctx, erasureId: string): Promise<RunningErasure | undefined> {
  return (
    await sql<RunningErasure>`update erasure set state = 'running' where id = ${erasureId} and state <> 'done' returning ${running}`.execute(
      ctx.db,
    )
  ).rows[0];
}

/** Adds to the counts of a table. */
export async function addCounts(
  ctx: Ctx,
  erasureId: string,
  { table, deleted, changed }: Counted,
): Promise<void> {
  if (deleted + changed === 0) return;
  await sql`update erasure set counts = counts || jsonb_build_object(${table}::text, jsonb_build_object('deleted', coalesce((counts -> ${table}::text ->> 'deleted')::int, 0) + ${deleted}::int, 'changed', coalesce((counts -> ${table}::text ->> 'changed')::int, 0) + ${changed}::int)) where id = ${erasureId}`.execute(
    ctx.db,
  );
}

/** Returns the counts of an erasure so far. */
export async function countsOf(ctx: Ctx, erasureId: string): Promise<RunningErasure['counts']> {
  const { rows } = await sql<
    Pick<RunningErasure, 'counts'>
  >`select counts from erasure where id = ${erasureId}`.execute(ctx.db);
  return rows[0]?.counts ?? {};
}

/** Stores the end of an erasure with its signed certificate. */
export async function endErasure(
  ctx: Ctx,
  erasureId: string,
  end: {
    readonly remains: readonly Remaining[];
    readonly backupsUntil: Date;
    readonly booksUntil: LocalDay | null;
    readonly certificate: string;
    readonly signature: string;
  },
): Promise<void> {
  await sql`update erasure set state = 'done', finished_at = ${ctx.now}, remains = ${JSON.stringify(end.remains)}::jsonb, backups_until = ${end.backupsUntil}, books_until = ${end.booksUntil},
    certificate = ${end.certificate}, signature = ${end.signature} where id = ${erasureId}`.execute(ctx.db);
}

/** The signed certificate of a finished erasure. */
export async function certificateOf(
  ctx: Ctx,
  erasureId: string,
): Promise<{ certificate: string; signature: string } | undefined> {
  const { rows } = await sql<{
    certificate: string;
    signature: string;
  }>`select certificate, signature from erasure where id = ${erasureId} and state = 'done'`.execute(ctx.db);
  return rows[0];
}

/** Returns finished erasures whose terms are still stored, so that a later run can search for them. */
export async function uncheckedErasures(ctx: Ctx, before: Date): Promise<RunningErasure[]> {
  return (
    await sql<RunningErasure>`select ${running} from erasure where state = 'done' and terms is not null and finished_at <= ${before} order by finished_at`.execute(
      ctx.db,
    )
  ).rows;
}

/** Stores the findings of a later run, and deletes the terms. */
export async function endCheck(ctx: Ctx, erasureId: string, remains: readonly Remaining[]): Promise<void> {
  await sql`update erasure set checked_at = ${ctx.now}, remains = ${JSON.stringify(remains)}::jsonb, terms = null where id = ${erasureId}`.execute(
    ctx.db,
  );
}

/** Returns those erasures that the database does not contain, as after a restore of an older backup. */
export async function unknownErasures(ctx: Ctx, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{
    id: string;
  }>`select i.id from unnest(${[...ids]}::text[]) as i (id) where not exists (select from erasure e where e.id = i.id)`.execute(
    ctx.db,
  );
  return rows.map(({ id }) => id);
}

/** Expires an organization's downloadable exports now. */
export async function expireExports(ctx: Ctx, organizationId: string): Promise<void> {
  await sql`update personal_export set state = 'removed', kept_until = null, file_key = null where organization_id = ${organizationId} and state = 'done'`.execute(
    ctx.db,
  );
}
