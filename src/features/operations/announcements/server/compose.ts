// Writing, sending, scheduling and canceling announcements: everything that an Admin does.
import type { In, Out } from '#kernel/contract.ts';
import { required } from '#kernel/assert.ts';
import { ValidationError, domainError } from '#kernel/errors.ts';
import { momentAt } from '#kernel/time.ts';
import { dayMs } from '#kernel/durations.ts';
import { person, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { safeReturnPath } from '#features/access/federation/rules.ts';
import { timeZoneSetting } from '#features/access/identity/server/index.ts';
import {
  announcementsErrors,
  Audience,
  type Announcement,
  type AnnouncementDetail,
  type announcements,
} from '../contract.ts';
import { announcementKind } from './send.ts';
import {
  announcementById,
  changeAnnouncement,
  countUnread,
  insertAnnouncement,
  pageOfAnnouncements,
  putState,
  type Content,
} from './store.ts';
import { audienceNameOf, countPeople } from './store-audience.ts';

const furthestMs = 366 * dayMs;

/** Refreshes every open list of announcements. */
export const publishAnnouncements = (ctx: Ctx): void =>
  ctx.publish('system/billing', { kind: 'announcement' });

async function byId(ctx: Ctx, announcementId: string, isLocked = false): Promise<Announcement> {
  const found = await announcementById(ctx, announcementId, isLocked);
  if (!found) throw domainError(announcementsErrors, 'announcements.not_found');
  return found;
}

/** Returns an unsent announcement, locked so that the job does not start sending it. */
async function notSentYet(ctx: Ctx, announcementId: string): Promise<Announcement> {
  const found = await byId(ctx, announcementId, true);
  if (found.state === 'sending' || found.state === 'sent')
    throw domainError(announcementsErrors, 'announcements.already_sent');
  if (found.state === 'cancelled') throw domainError(announcementsErrors, 'announcements.is_cancelled');
  return found;
}

/** Validates the input: the link must be a path of this console, and the audience must exist. */
async function checked(
  ctx: Ctx,
  { words, severity, link, audience }: In<typeof announcements.createAnnouncement>,
): Promise<Content> {
  const inside = link?.trim() ?? '';
  if (inside !== '' && safeReturnPath(inside) !== inside)
    throw new ValidationError([{ field: 'link', code: 'announcements.link_outside' }]);
  const audienceName = await audienceNameOf(ctx, audience);
  if (audienceName === undefined)
    throw new ValidationError([{ field: 'audience', code: 'announcements.audience_not_found' }]);
  return { words, severity, link: inside === '' ? null : inside, audience, audienceName };
}

export async function listAnnouncements(
  ctx: Ctx,
  input: In<typeof announcements.listAnnouncements>,
): Promise<Out<typeof announcements.listAnnouncements>> {
  return pageOfAnnouncements(ctx, input);
}

export async function getAnnouncement(
  ctx: Ctx,
  { announcementId }: In<typeof announcements.getAnnouncement>,
): Promise<AnnouncementDetail> {
  const found = await byId(ctx, announcementId);
  const isUnsent = found.state === 'draft' || found.state === 'scheduled';
  // Deleted notifications count as read, because only the unread ones can still be counted.
  return {
    ...found,
    read: Math.max(0, found.reached - (await countUnread(ctx, announcementId))),
    people: isUnsent ? await countPeople(ctx, found.audience) : null,
  };
}

/** Counts the users in an audience. */
export async function countAudience(
  ctx: Ctx,
  { kind, role, organizationId, serviceId }: In<typeof announcements.countAudience>,
): Promise<Out<typeof announcements.countAudience>> {
  const given = {
    kind,
    ...(role && { role }),
    ...(organizationId && { organizationId }),
    ...(serviceId && { serviceId }),
  };
  const audience = Audience.safeParse(given);
  if (!audience.success)
    throw new ValidationError([{ field: 'kind', code: 'announcements.audience_incomplete' }]);
  return { people: await countPeople(ctx, audience.data) };
}

/** Creates a draft. */
export async function createAnnouncement(
  ctx: Ctx,
  input: In<typeof announcements.createAnnouncement>,
): Promise<Announcement> {
  const content = await checked(ctx, input);
  const id = ctx.newId('ann');
  const { userId, name } = person(ctx);
  await insertAnnouncement(ctx, id, content, { id: userId, name });
  ctx.audit('announcements.createAnnouncement', id, { ...content });
  publishAnnouncements(ctx);
  return required(await announcementById(ctx, id), 'the announcement that was just made');
}

/** Changes an unsent announcement. */
export async function updateAnnouncement(
  ctx: Ctx,
  { announcementId, ...input }: In<typeof announcements.updateAnnouncement>,
): Promise<Announcement> {
  await notSentYet(ctx, announcementId);
  const content = await checked(ctx, input);
  await changeAnnouncement(ctx, announcementId, content);
  ctx.audit('announcements.updateAnnouncement', announcementId, { ...content });
  publishAnnouncements(ctx);
  return byId(ctx, announcementId);
}

/** Queues an announcement for sending, now or at a later time. */
export async function sendAnnouncement(
  ctx: Ctx,
  { announcementId, at }: In<typeof announcements.sendAnnouncement>,
): Promise<Announcement> {
  const { audience } = await notSentYet(ctx, announcementId);
  const sendAt = at ? momentAt(at.day, at.time, await ctx.setting(timeZoneSetting)) : ctx.now;
  if (at && sendAt <= ctx.now) throw new ValidationError([{ field: 'at', code: 'announcements.time_past' }]);
  if (sendAt.getTime() - ctx.now.getTime() > furthestMs)
    throw new ValidationError([{ field: 'at', code: 'announcements.time_far' }]);
  // A scheduled announcement may gain recipients later; one sent now to an empty audience would reach nobody.
  if (!at && (await countPeople(ctx, audience)) === 0)
    throw domainError(announcementsErrors, 'announcements.nobody');
  await putState(ctx, announcementId, 'scheduled', sendAt);
  ctx.send(announcementKind, ctx.newId('out'), {}, sendAt);
  ctx.audit('announcements.sendAnnouncement', announcementId, { sendAt: sendAt.toISOString() });
  publishAnnouncements(ctx);
  return byId(ctx, announcementId);
}

/** Cancels an unsent announcement. */
export async function cancelAnnouncement(
  ctx: Ctx,
  { announcementId }: In<typeof announcements.cancelAnnouncement>,
): Promise<Announcement> {
  await notSentYet(ctx, announcementId);
  await putState(ctx, announcementId, 'cancelled', null);
  ctx.audit('announcements.cancelAnnouncement', announcementId);
  publishAnnouncements(ctx);
  return byId(ctx, announcementId);
}
