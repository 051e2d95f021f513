// What a call does, in a few words of the reader's language.
import type { Route } from '#kernel/contract.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { actionName } from '#features/access/audit/server/index.ts';
import { chineseTitles } from './call-titles-zh.ts';

/** In English as the API reference calls it, else as the audit log does; English where neither has a word. `name` is `feature.verb`. */
export function callTitle(ctx: Ctx, name: string, route: Route, language = ctx.language): string {
  if (language === 'enUS') return route.summary;
  const read = language === 'zhTW' ? chineseTitles[name] : undefined;
  return read ?? actionName(ctx, name, language) ?? route.summary;
}
