// SQL of announcements.
import { sql } from 'kysely';
import type { In } from '#kernel/contract.ts';
import { required } from '#kernel/assert.ts';
import type { Id } from '#kernel/ids.ts';
import type { Role } from '#kernel/roles.ts';
import type { Page } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import {
  allOf,
  containsPattern,
  readPage,
  rowItself,
  rowsCounted,
  searchTotalCap,
  type ListOrder,
} from '#platform/server/database/paging.ts';
import type { Announcement, announcements, AnnouncementState, Audience, AudienceKind } from '../contract.ts';

/** The Admin's input. */
export type Content = Pick<Announcement, 'words' | 'severity' | 'link' | 'audience' | 'audienceName'>;
type Row = Omit<Announcement, 'words' | 'audience'> & {
  title_zh: string;
  title_en: string;
  text_zh: string;
  text_en: string;
  kind: AudienceKind;
  audience_role: Role | null;
  organization_id: Id<'org'> | null;
  service_id: Id<'svc'> | null;
};

const columns = sql<Row>`a.id, a.title_zh, a.title_en, a.text_zh, a.text_en, a.severity, a.link, a.audience as kind, a.audience_role, a.organization_id, a.service_id, a.audience_name as "audienceName", a.state, a.send_at as "sendAt", a.finished_at as "finishedAt", a.reached, a.expected, a.author, a.created_at as "createdAt"`;

function audienceOf({
  kind,
  audience_role: role,
  organization_id: organizationId,
  service_id: serviceId,
}: Row): Audience {
  switch (kind) {
    case 'all':
      return { kind };
    case 'role':
      return { kind, role: required(role, 'the role of an audience') };
    case 'organization':
      return { kind, organizationId: required(organizationId, 'the organization of an audience') };
    case 'service':
      return { kind, serviceId: required(serviceId, 'the service of an audience') };
  }
}

function toAnnouncement(row: Row): Announcement {
  const {
    title_zh,
    title_en,
    text_zh,
    text_en,
    kind: _kind,
    audience_role: _role,
    organization_id: _organization,
    service_id: _service,
    ...rest
  } = row;
  return {
    ...rest,
    words: { zhTW: { title: title_zh, text: text_zh }, enUS: { title: title_en, text: text_en } },
    audience: audienceOf(row),
  };
}

const order: ListOrder = {
  by: { createdAt: { expression: sql`a.created_at`, cast: 'timestamptz' } },
  usual: '-createdAt',
  id: sql`a.id`,
};

/** One page of announcements. */
export function pageOfAnnouncements(
  ctx: Ctx,
  input: In<typeof announcements.listAnnouncements>,
): Promise<Page<Announcement>> {
  const pattern = input.q ? containsPattern(input.q) : undefined;
  const list = {
    columns,
    from: sql`announcement a`,
    where: allOf(
      input.state && sql`a.state = ${sql.lit(input.state)}`,
      pattern &&
        sql`(a.title_zh ilike ${pattern} or a.title_en ilike ${pattern} or a.text_zh ilike ${pattern} or a.text_en ilike ${pattern})`,
    ),
    order,
    counter: pattern ? undefined : rowsCounted('announcement', input.state),
    cap: searchTotalCap,
  };
  return readPage(ctx.db, input, list, (row) => toAnnouncement(rowItself(row)));
}

/**
 * Returns one announcement; with `isLocked`, neither another transaction nor the job can change it until this
 * transaction ends.
 */
export async function announcementById(
  ctx: Ctx,
  announcementId: string,
  isLocked = false,
): Promise<Announcement | undefined> {
  const { rows } =
    await sql<Row>`select ${columns} from announcement a where a.id = ${announcementId} ${isLocked ? sql`for update` : sql``}`.execute(
      ctx.db,
    );
  return rows[0] && toAnnouncement(rows[0]);
}

const audienceValues = ({ audience }: Content) => ({
  role: audience.kind === 'role' ? audience.role : null,
  organizationId: audience.kind === 'organization' ? audience.organizationId : null,
  serviceId: audience.kind === 'service' ? audience.serviceId : null,
});

/** Adds a draft. */
export async function insertAnnouncement(
  ctx: Ctx,
  announcementId: string,
  content: Content,
  author: { id: string; name: string },
): Promise<void> {
  const {
    words: { zhTW, enUS },
    severity,
    link,
    audience,
    audienceName,
  } = content;
  const { role, organizationId, serviceId } = audienceValues(content);
  await sql`insert into announcement (id, title_zh, title_en, text_zh, text_en, severity, link, audience, audience_role, organization_id, service_id, audience_name, state, created_at, created_by, author)
    values (${announcementId}, ${zhTW.title}, ${enUS.title}, ${zhTW.text}, ${enUS.text}, ${severity}, ${link}, ${audience.kind}, ${role}, ${organizationId}, ${serviceId}, ${audienceName}, 'draft', ${ctx.now}, ${author.id}, ${author.name})`.execute(
    ctx.db,
  );
}

/** Changes an announcement's text and audience. */
export async function changeAnnouncement(ctx: Ctx, announcementId: string, content: Content): Promise<void> {
  const {
    words: { zhTW, enUS },
    severity,
    link,
    audience,
    audienceName,
  } = content;
  const { role, organizationId, serviceId } = audienceValues(content);
  await sql`update announcement set title_zh = ${zhTW.title}, title_en = ${enUS.title}, text_zh = ${zhTW.text}, text_en = ${enUS.text}, severity = ${severity}, link = ${link},
    audience = ${audience.kind}, audience_role = ${role}, organization_id = ${organizationId}, service_id = ${serviceId}, audience_name = ${audienceName} where id = ${announcementId}`.execute(
    ctx.db,
  );
}

/** Schedules or cancels an announcement. */
export async function putState(
  ctx: Ctx,
  announcementId: string,
  state: AnnouncementState,
  sendAt: Date | null,
): Promise<void> {
  await sql`update announcement set state = ${state}, send_at = ${sendAt} where id = ${announcementId}`.execute(
    ctx.db,
  );
}

/**
 * Locks the announcement that has been due longest and is not locked by another console process, until the
 * transaction ends.
 */
export async function lockDue(
  ctx: Ctx,
): Promise<{ readonly announcement: Announcement; readonly sentThrough: string } | undefined> {
  const { rows } = await sql<
    Row & { sentThrough: string }
  >`select ${columns}, a.sent_through as "sentThrough" from announcement a where a.state in ('scheduled', 'sending') and a.send_at <= ${ctx.now} order by a.send_at, a.id limit 1 for update skip locked`.execute(
    ctx.db,
  );
  if (!rows[0]) return undefined;
  const { sentThrough, ...row } = rows[0];
  return { announcement: toAnnouncement(row), sentThrough };
}

/** Stores the sending progress; `isDone` when no recipients are left. */
export async function recordSent(
  ctx: Ctx,
  announcementId: string,
  sent: { through: string; people: number; expected: number; isDone: boolean },
): Promise<void> {
  await sql`update announcement set state = ${sent.isDone ? 'sent' : 'sending'}, sent_through = ${sent.through}, reached = reached + ${sent.people}, expected = ${sent.expected}, finished_at = ${sent.isDone ? ctx.now : null} where id = ${announcementId}`.execute(
    ctx.db,
  );
}

/** Counts the users who have not read an announcement. */
export async function countUnread(ctx: Ctx, announcementId: string): Promise<number> {
  const { rows } = await sql<{
    unread: bigint;
  }>`select count(*) as unread from notification where kind = 'announcement' and subject = ${announcementId} and not is_read`.execute(
    ctx.db,
  );
  return Number(rows[0]?.unread ?? 0n);
}
