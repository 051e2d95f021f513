// Close and preview runs, for watching and stopping them.
import type { In } from '#kernel/contract.ts';
import { domainError } from '#kernel/errors.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { billingErrors, type billing, type CloseRun } from '../contract.ts';
import { requestStop, newestRuns } from './store-runs.ts';

export async function listCloseRuns(ctx: Ctx): Promise<{ items: CloseRun[] }> {
  return { items: await newestRuns(ctx) };
}

/** Asks a running close or preview to stop; it stops after its current chunk. */
export async function stopCloseRun(ctx: Ctx, input: In<typeof billing.stopCloseRun>): Promise<null> {
  if (!(await requestStop(ctx, input.runId))) throw domainError(billingErrors, 'billing.run_not_running');
  ctx.audit('billing.stopCloseRun', input.runId);
  return null;
}
