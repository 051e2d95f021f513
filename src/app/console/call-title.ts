// Describes a call in a few words of the reader's language.
import type { Route } from '#kernel/contract.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { actionName } from '#features/access/audit/server/index.ts';
import { chineseTitles } from './call-titles-zh.ts';

/**
 * The title of a call: in English the one of the API reference; otherwise the one of the audit log; English
 * where there is none. `name` is `feature.verb`.
 */
export function callTitle(ctx: Ctx, name: string, route: Route, language = ctx.language): string {
  if (language === 'enUS') return route.summary;
  const read = language === 'zhTW' ? chineseTitles[name] : undefined;
  return read ?? actionName(ctx, name, language) ?? route.summary;
}
