// Books the revenue of fees billed in advance, for each organization once a month is over in its time zone
// (decision 0070).
import { assert } from '#kernel/assert.ts';
import { job, type Job } from '#platform/server/jobs/jobs.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { append } from '#features/invoicing/ledger/server/index.ts';
import { recognitionEntries } from '../rules.ts';
import { dueOf, lockDue, storeRecognized } from './store-deferral.ts';

const actor = { kind: 'system', name: 'billing' } as const;
/** The number of line parts per transaction. */
const partsAtOnce = 5000;

/**
 * Books a bounded part of what is due; false if nothing was due. Safe to repeat and to run concurrently:
 * nothing becomes revenue twice.
 */
export async function recognizeRevenue(ctx: Ctx): Promise<boolean> {
  const billIds = await lockDue(ctx, partsAtOnce);
  if (billIds.length === 0) return false;
  const due = (await dueOf(ctx, billIds)).map((each) => ({ ...each, id: ctx.newId('rev') }));
  assert(due.length > 0, 'what was locked is due');
  await storeRecognized(ctx, billIds, due);
  await append(
    ctx,
    due.map(({ id, organizationId, currency, minor }) => ({
      kind: 'recognition',
      reference: id,
      entries: recognitionEntries(organizationId, currency, minor),
    })),
  );
  ctx.audit('billing.recognizeRevenue', undefined, { months: due.length, bills: billIds.length });
  ctx.publish('system/billing', { kind: 'recognized' });
  return true;
}

/** Hourly, because a month ends in each organization's time zone. */
export const recognizeRevenueJob: Job = job({
  name: 'billing.recognizeRevenue',
  schedule: '31 * * * *',
  run: async (app, _payload, signal) => {
    while (!signal.aborted && (await unitOfWork(app, { actor }, recognizeRevenue)));
  },
});
