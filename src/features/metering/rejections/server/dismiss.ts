// Dismisses rejected events that are not going to be corrected.
import type { In, Out } from '#kernel/contract.ts';
import { ValidationError, domainError } from '#kernel/errors.ts';
import { person, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { rejectionsErrors, type rejections } from '../contract.ts';
import { scopeOf } from './read.ts';
import { countNamed, dismiss } from './store.ts';

/** Dismisses the given events, or all open ones of a reason, but never all of them. */
export async function dismissRejected(
  ctx: Ctx,
  input: In<typeof rejections.adminDismissRejected>,
): Promise<Out<typeof rejections.adminDismissRejected>> {
  const { organizationId, ...selection } = input;
  if (selection.ids === undefined && selection.code === undefined)
    throw new ValidationError([{ field: 'ids', code: 'platform.field_required' }]);
  const scope = scopeOf(ctx, organizationId);
  // If one of the events does not exist or is not the caller's, none is dismissed.
  if (selection.ids && (await countNamed(ctx, scope, selection.ids)) < new Set(selection.ids).size)
    throw domainError(rejectionsErrors, 'rejections.not_found', {}, ['ids']);
  const dismissed = await dismiss(ctx, scope, selection, person(ctx).userId);
  ctx.audit('rejections.dismissRejected', undefined, {
    dismissed,
    ...(selection.code !== undefined && { code: selection.code }),
  });
  return { dismissed };
}
