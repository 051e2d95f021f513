// Puts rejected events aside that nobody is going to mend.
import type { In, Out } from '#kernel/contract.ts';
import { Invalid } from '#kernel/refusal.ts';
import { person, type Ctx } from '#platform/server/ctx.ts';
import type { rejections } from '../contract.ts';
import { scopeOf } from './read.ts';
import { dismiss } from './store.ts';

/** Some, or all open ones of a reason: never simply all. */
export async function dismissRejected(ctx: Ctx, input: In<typeof rejections.adminDismissRejected>): Promise<Out<typeof rejections.adminDismissRejected>> {
  const { organizationId, ...which } = input;
  if (which.ids === undefined && which.code === undefined) throw new Invalid([{ field: 'ids', code: 'platform.field_required' }]);
  const dismissed = await dismiss(ctx, scopeOf(ctx, organizationId), which, person(ctx).userId);
  ctx.note('rejections.dismissRejected', undefined, { dismissed, ...(which.code !== undefined && { code: which.code }) });
  return { dismissed };
}
