// The origins that may frame the portal: those that an Admin allows, and which of them apply to one link's
// page.
import type { In } from '#kernel/contract.ts';
import { ValidationError } from '#kernel/errors.ts';
import { isId } from '#kernel/ids.ts';
import type { App, Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { loadSettings, settingOf, storeSetting } from '#platform/server/unit-of-work/settings.ts';
import { person } from '#platform/server/unit-of-work/ctx.ts';
import type { PortalSettings, portal } from '../contract.ts';
import { ancestorsOf, exactOrigin } from './exact-origin.ts';
import { originsSetting } from './settings.ts';
import { originsOfLink } from './store.ts';

/** Whether http on the local machine is accepted: only where the console is developed or tested. */
export const mayBeLocal = (ctx: Ctx): boolean => ctx.app.config.mode !== 'production';

/**
 * Normalizes typed origins and removes duplicates. @throws ValidationError at the field, with the typed value
 */
export function wantedOrigins(ctx: Ctx, typed: readonly string[]): string[] {
  const origins = typed.map((one) => {
    const origin = exactOrigin(one, mayBeLocal(ctx));
    if (origin === undefined)
      throw new ValidationError([{ field: 'origins', code: 'portal.origin_wrong', params: { origin: one } }]);
    return origin;
  });
  return [...new Set(origins)];
}

export const getSettings = async (ctx: Ctx): Promise<PortalSettings> => ({
  origins: await ctx.setting(originsSetting),
});

export async function saveSettings(
  ctx: Ctx,
  { origins: typed }: In<(typeof portal)['saveSettings']>,
): Promise<PortalSettings> {
  const origins = wantedOrigins(ctx, typed);
  const before = await ctx.setting(originsSetting);
  await storeSetting(ctx.db, originsSetting, origins, ctx.now, person(ctx).userId);
  ctx.audit('portal.saveSettings', undefined, { before: { origins: before }, after: { origins } });
  return { origins };
}

/**
 * Returns the origins that may frame the page of a link, by the id in its URL; none when the link is unknown
 * or has ended.
 */
export async function frameAncestors(app: App, linkId: string | undefined): Promise<readonly string[]> {
  if (!isId('plk', linkId)) return [];
  const { kysely } = app.database;
  const ofLink = await originsOfLink(kysely, linkId, app.clock.now());
  return ofLink.length === 0
    ? []
    : ancestorsOf(ofLink, settingOf(await loadSettings(kysely), originsSetting));
}
