// Revenue of fees that were billed in advance: booked for each organization once a month is over in its zone (decision 0070).
import { assert } from '#kernel/assert.ts';
import { job, type Job } from '#platform/server/jobs/jobs.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { append } from '#features/invoicing/ledger/server/index.ts';
import { recognitionEntries } from '../rules.ts';
import { dueOf, lockDue, storeRecognized } from './store-deferral.ts';

const actor = { kind: 'system', name: 'billing' } as const;
/** Parts of lines that one transaction takes. */
const partsAtOnce = 5000;

/** Books what is due, a bounded part of it; false when nothing was due. Safe to repeat, and at once: nothing becomes revenue twice. */
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

/** Each hour, because a month ends by each organization's zone. */
export const recognizeRevenueJob: Job = job({
  name: 'billing.recognizeRevenue',
  schedule: '31 * * * *',
  run: async (app, _payload, signal) => {
    while (!signal.aborted && (await unitOfWork(app, { actor }, recognizeRevenue)));
  },
});
