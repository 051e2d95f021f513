// After a restore of an older backup, the database contains people again who were erased since: erases them
// again.
import type { Actor, App } from '#platform/server/unit-of-work/ctx.ts';
import { job } from '#platform/server/jobs/jobs.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { eraseJob, sealedTerms } from './erase.ts';
import { listedErasure, listedIds } from './erased-list.ts';
import { insertErasure, subjectById, unknownErasures } from './store-erasures.ts';

const actor = { kind: 'system', name: 'personal-data' } as const satisfies Actor;

/** Requests every recorded erasure that the database does not contain. Returns how many. */
export async function repeatErasures(app: App): Promise<number> {
  const ids = await listedIds(app);
  if (ids.length === 0) return 0;
  let repeated = 0;
  for (const id of await unitOfWork(app, { actor }, (ctx) => unknownErasures(ctx, ids))) {
    const listed = await listedErasure(app, id);
    if (!listed) continue;
    await unitOfWork(app, { actor }, async (ctx) => {
      const subject = await subjectById(ctx, listed.subjectId);
      if (!subject) return;
      const { kind, organizationId, userId } = subject;
      const isNew = await insertErasure(ctx, {
        id,
        kind,
        organizationId,
        userId,
        reason: ctx.text('personaldata.repeated'),
        askedBy: actor.name,
        askedAt: listed.askedAt,
        terms: await sealedTerms(ctx, id, subject),
      });
      if (!isNew) return;
      await ctx.enqueue(eraseJob.name, { erasureId: id }, id);
      ctx.audit('personaldata.repeat', id, { subjectId: listed.subjectId });
      repeated += 1;
    });
  }
  return repeated;
}

export const repeatErasuresJob = job({
  name: 'personal-data-repeat',
  schedule: '*/10 * * * *',
  run: async (app: App) => {
    await repeatErasures(app);
  },
});
