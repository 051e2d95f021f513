// Who may read a notice: somebody with a custom role gets only those that lead to pages which they may read.
import { mayReadArea } from '#kernel/permissions.ts';
import type { App, Ctx, NarrowedRole } from '#platform/server/unit-of-work/ctx.ts';
import type { NotificationKind } from '../rules-kinds.ts';
import { pageOf } from '../rules.ts';

/**
 * Kinds for every reader: an Admin wrote the announcement for its audience, whatever page it leads to, and a test is
 * the reader's own.
 */
export const openKinds: readonly NotificationKind[] = ['announcement', 'system.test'];

/** Whether somebody may open the page that a notice leads to. */
export const mayFollow = (
  { pageAreas }: Pick<App, 'pageAreas'>,
  customRole: NarrowedRole | null | undefined,
  { link, kind }: { readonly link: string | null; readonly kind: NotificationKind },
): boolean =>
  openKinds.includes(kind) || mayReadArea(customRole, link === null ? undefined : pageAreas[pageOf(link)]);

/** The pages whose notices the caller may read; undefined without a custom role: all. */
export function readablePages({ app, actor }: Ctx): string[] | undefined {
  if (actor.kind !== 'user' || !actor.customRole) return undefined;
  const { customRole } = actor;
  return Object.entries(app.pageAreas).flatMap(([path, area]) =>
    mayReadArea(customRole, area) ? [path] : [],
  );
}
