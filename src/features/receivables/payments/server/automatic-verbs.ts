// Turns automatic payment on and off, lists the organizations that use it, and runs the job that pays issued
// bills.
import type { In } from '#kernel/contract.ts';
import type { Page } from '#kernel/shape.ts';
import { person, tenant, type Ctx, type App } from '#platform/server/unit-of-work/ctx.ts';
import { continueOnError } from '#platform/server/jobs/continue-on-error.ts';
import { inPages } from '#platform/server/jobs/in-pages.ts';
import { job } from '#platform/server/jobs/jobs.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import type { Balance, payments } from '../contract.ts';
import { automaticName, payAutomatically } from './automatic.ts';
import { balance } from './pay.ts';
import { automaticAfter, storeAutomatic, pageOfAutomatic } from './store-automatic.ts';

const organizationsAtOnce = 200;

/** Turns automatic payment on or off; when turned on, open bills are paid in the same transaction. */
export async function setAutomatic(ctx: Ctx, input: In<typeof payments.setAutomatic>): Promise<Balance> {
  const organizationId = tenant(ctx);
  await storeAutomatic(ctx, organizationId, input, person(ctx).userId);
  ctx.audit('payments.setAutomatic', organizationId, input);
  if (input.isOn) await payAutomatically(ctx, [organizationId]);
  return balance(ctx);
}

export async function adminListAutomatic(
  ctx: Ctx,
  input: In<typeof payments.adminListAutomatic>,
): Promise<
  Page<{
    organizationId: Balance['pending'][number]['organizationId'];
    organization: string;
    isPartial: boolean;
    changedAt: Date;
  }>
> {
  return pageOfAutomatic(ctx, input);
}

/**
 * Pays for all organizations with automatic payment, one transaction per chunk; a failed chunk does not stop
 * the others.
 */
export async function payAllAutomatically(app: App): Promise<number> {
  const actor = { kind: 'system', name: automaticName } as const;
  let paid = 0;
  await inPages(async (after) => {
    const ids = await unitOfWork(app, { actor, mode: 'read' }, (ctx) =>
      automaticAfter(ctx, after, organizationsAtOnce),
    );
    if (ids.length === 0) return undefined;
    const about = { from: ids[0], to: ids.at(-1) };
    const count = await continueOnError(app, about, 'bills could not be paid automatically', () =>
      unitOfWork(app, { actor }, (ctx) => payAutomatically(ctx, ids)),
    );
    paid += count ?? 0;
    return ids.at(-1);
  });
  return paid;
}

/** After a close, and every quarter of an hour for bills that were locked at the time. */
export const automaticJob = job({
  name: automaticName,
  schedule: '*/15 * * * *',
  run: async (app) => void (await payAllAutomatically(app)),
});
