// Erases requests for approval about the erased subject: their contents are encrypted, so they are decrypted
// and searched.
import { isSomeId, type Id } from '#kernel/ids.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { forgetApprovals, openedApprovals } from '#features/access/approvals/server/index.ts';
import { holdsTerm, isUnique, type Term } from '../rules-erasure.ts';
import { deleteNotificationsAbout, idsOf, type Erased } from './store-erasure.ts';
import { addCounts } from './store-erasures.ts';

/**
 * Returns the requests about the erased subject: those that refer to something of theirs by id, or contain a
 * term that two people hardly share. For a single person, also those of their organization that contain the
 * person's name; its other requests stay.
 */
export async function approvalsAbout(
  ctx: Ctx,
  { organizationId, userId }: Erased,
  terms: readonly Term[],
): Promise<readonly Id<'apr'>[]> {
  const unique = terms.filter(isUnique);
  const about: Id<'apr'>[] = [];
  for await (const portion of openedApprovals(ctx)) {
    const ids = [...new Set(portion.flatMap(({ texts }) => texts.filter(isSomeId)))];
    const theirs = organizationId === null ? new Set<string>() : await idsOf(ctx, organizationId, ids);
    for (const { id, texts } of portion) {
      const isOfOrganization = texts.some((text) => theirs.has(text));
      const isOfErased = userId === null ? isOfOrganization : texts.includes(userId);
      const sought = isOfOrganization ? terms : unique;
      if (isOfErased || texts.some((text) => holdsTerm(text, sought))) about.push(id);
    }
  }
  return about;
}

/** Deletes the contents of these requests, and the Admins' notifications about them. */
export async function eraseApprovals(
  ctx: Ctx,
  erasureId: string,
  erased: Erased,
  terms: readonly Term[],
): Promise<void> {
  const about = await approvalsAbout(ctx, erased, terms);
  if (about.length === 0) return;
  const changed = await forgetApprovals(ctx, about);
  await addCounts(ctx, erasureId, { table: 'approval', deleted: 0, changed });
  await addCounts(ctx, erasureId, {
    table: 'notification',
    deleted: await deleteNotificationsAbout(ctx, about),
    changed: 0,
  });
}
