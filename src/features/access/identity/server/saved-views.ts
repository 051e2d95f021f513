// Saved views of lists: filters and order that a user stored under a name.
import type { In, Out } from '#kernel/contract.ts';
import { domainError } from '#kernel/errors.ts';
import { person, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { lockUntilEnd } from '#platform/server/unit-of-work/unit-of-work.ts';
import {
  identityErrors,
  maxPinned,
  maxViews,
  pinnedScreen,
  type identity,
  type SavedView,
} from '../contract.ts';
import { deleteViewRow, insertView, updateView, viewsOf } from './store-views.ts';

/** The caller's own views of a screen, sorted by name. */
export async function savedViews(
  ctx: Ctx,
  input: In<typeof identity.savedViews>,
): Promise<Out<typeof identity.savedViews>> {
  const views = await viewsOf(ctx, person(ctx).userId, input.screen);
  return { items: views.map(({ id, name, query, createdAt }) => ({ id, name, query, createdAt })) };
}

/** Stores a view; names are unique per user and screen, and their number is limited. */
export async function saveView(ctx: Ctx, input: In<typeof identity.saveView>): Promise<SavedView> {
  const { userId } = person(ctx);
  await lockUntilEnd(ctx, `saved views of ${userId}`);
  const existing = await viewsOf(ctx, userId, input.screen);
  const most = input.screen === pinnedScreen ? maxPinned : maxViews;
  if (existing.length >= most) throw domainError(identityErrors, 'identity.too_many_views', { most });
  assertNameIsFree(existing, input.name);
  return insertView(ctx, userId, input);
}

/** Renames a view or changes what it shows. */
export async function changeView(ctx: Ctx, input: In<typeof identity.changeView>): Promise<SavedView> {
  const { userId } = person(ctx);
  await lockUntilEnd(ctx, `saved views of ${userId}`);
  const [before] = await viewsOf(ctx, userId, null, input.viewId);
  if (!before) throw domainError(identityErrors, 'identity.view_not_found');
  const { screen, ...view } = before;
  if (input.name !== undefined)
    assertNameIsFree(
      (await viewsOf(ctx, userId, screen)).filter((other) => other.id !== view.id),
      input.name,
    );
  return updateView(ctx, { ...view, name: input.name ?? view.name, query: input.query ?? view.query });
}

export async function deleteView(ctx: Ctx, input: In<typeof identity.deleteView>): Promise<null> {
  if (!(await deleteViewRow(ctx, person(ctx).userId, input.viewId)))
    throw domainError(identityErrors, 'identity.view_not_found');
  return null;
}

function assertNameIsFree(views: readonly SavedView[], name: string): void {
  if (views.some((view) => view.name.toLowerCase() === name.toLowerCase()))
    throw domainError(identityErrors, 'identity.view_name_taken', { name }, ['name']);
}
