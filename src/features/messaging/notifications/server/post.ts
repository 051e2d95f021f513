// Posts notices once per recipient, in the console and by each recipient's channels, in the transaction of
// the event.
import { required } from '#kernel/assert.ts';
import type { Id } from '#kernel/ids.ts';
import { isContentLanguage, type InBoth, type Language } from '#kernel/language.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { domainEvent } from '#platform/server/unit-of-work/domain-event.ts';
import { activeAdmins, membersOfMany } from '#features/access/identity/server/index.ts';
import { planDeliveries, type PlannedDelivery } from '../rules-delivery.ts';
import { kinds } from '../rules-kinds.ts';
import { folded } from '../rules-search.ts';
import { readable } from '../rules.ts';
import { reachSettingsOf, reachOf, channelHandlers, type ChannelMessage } from './channels.ts';
import { deliveryKey } from './delivery-keys.ts';
import { insertDigests } from './store-digest.ts';
import { insertOnce, type Notice } from './store.ts';
import { linkFor } from './readers.ts';
import { peopleOf } from './store-reach.ts';

/** A notice to an organization, for features that forward it; it may have been posted before. */
export type PostedNotice = { readonly organizationId: Id<'org'>; readonly notice: Notice };
export const noticesPosted = domainEvent<readonly PostedNotice[]>('notifications.noticesPosted');

const sentenceOf = (ctx: Ctx, { textKey, params }: Notice, language: Language): string =>
  ctx.text(textKey, readable(params, language), language);

/** A notice's sentences in both languages, computed once for all readers. */
function sentencesOf(ctx: Ctx): (notice: Notice) => InBoth<string> {
  const known = new Map<Notice, InBoth<string>>();
  return (notice) => {
    const cached = known.get(notice);
    if (cached) return cached;
    const made = {
      zhTW: sentenceOf(ctx, notice, 'zhTW'),
      enUS: sentenceOf(ctx, notice, 'enUS'),
    };
    known.set(notice, made);
    return made;
  };
}

export type Addressed = { readonly userId: Id<'usr'>; readonly notice: Notice };

/**
 * Posts notices to users, except those whose custom role excludes every page that a notice may lead to, with a fixed number of statements for any number of recipients: a month close
 * notifies tens of thousands.
 */
export async function post(ctx: Ctx, addressed: readonly Addressed[]): Promise<void> {
  if (addressed.length === 0) return;
  const userIds = [...new Set(addressed.map((each) => each.userId))];
  const people = await peopleOf(ctx, userIds);
  const allowed = addressed.flatMap(({ userId, notice }) => {
    const link = linkFor(ctx.app, people.get(userId), notice);
    return link === undefined ? [] : [{ userId, notice, link }];
  });
  if (allowed.length === 0) return;
  const given = await reachSettingsOf(ctx, userIds);
  const sentences = sentencesOf(ctx);
  const planned = allowed.map((each) => {
    const person = people.get(each.userId);
    const rule = kinds[each.notice.kind];
    const plan = person ? planDeliveries(rule, reachOf(given, person, rule), ctx.now) : [];
    const texts = sentences(each.notice);
    return {
      ...each,
      id: ctx.newId('ntf'),
      organizationId: person?.organizationId ?? null,
      plan,
      channels: plan.map((one) => one.channel),
      searchText: folded(`${texts.zhTW}\n${texts.enUS}`),
    };
  });
  const fresh = await insertOnce(ctx, planned);
  const news = planned.filter((each) => fresh.has(each.id));
  for (const { userId } of news) ctx.publish(`user/${userId}/notifications`, { kind: 'new' });
  const going = news.flatMap(({ id, userId, notice, link, plan }) =>
    plan.map((one: PlannedDelivery) => ({ id, userId, notice, link, ...one })),
  );
  await insertDigests(
    ctx,
    going.flatMap(({ id, userId, dueAt, isDigest }) =>
      isDigest && dueAt ? [{ notificationId: id, userId, dueAt }] : [],
    ),
  );
  for (const [channel, ofChannel] of Map.groupBy(
    going.filter((each) => !each.isDigest),
    (each) => each.channel,
  )) {
    await channelHandlers[channel].send(
      ctx,
      ofChannel.map(({ id, userId, notice, link, dueAt }): ChannelMessage => {
        const person = required(people.get(userId), 'a person with a plan');
        return {
          person,
          key: deliveryKey(id, channel),
          rule: kinds[notice.kind],
          message: isContentLanguage(person.language)
            ? sentences(notice)[person.language]
            : sentenceOf(ctx, notice, person.language),
          link,
          dueAt,
        };
      }),
    );
  }
}

/** Notifies every active member of organizations once; ReadOnly users only about billing. */
export async function postToOrganizations(
  ctx: Ctx,
  notices: readonly { organizationId: Id<'org'>; notice: Notice }[],
): Promise<void> {
  const members = Map.groupBy(
    await membersOfMany(ctx, [...new Set(notices.map((each) => each.organizationId))]),
    (member) => member.organizationId,
  );
  await post(
    ctx,
    notices.flatMap(({ organizationId, notice }) =>
      (members.get(organizationId) ?? [])
        .filter((member) => member.role === 'User' || notice.category === 'billing')
        .map((member) => ({ userId: member.id, notice })),
    ),
  );
  await ctx.emit(noticesPosted, notices);
}

/** Notifies some users, each once. */
export async function postToUsers(ctx: Ctx, userIds: readonly Id<'usr'>[], notice: Notice): Promise<void> {
  await post(
    ctx,
    userIds.map((userId) => ({ userId, notice })),
  );
}

/** Notifies every active Admin once. */
export async function postToAdmins(ctx: Ctx, notice: Notice): Promise<void> {
  await post(
    ctx,
    (await activeAdmins(ctx)).map((userId) => ({ userId, notice })),
  );
}
