// The console's name for users.
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { companyPrefix, systemName } from './settings.ts';

/** Company and system as the title bar shows them: "Formosa Cloud Console". */
export async function brandName(ctx: Ctx): Promise<string> {
  return [await ctx.setting(companyPrefix), await ctx.setting(systemName)].join(' ').trim();
}
