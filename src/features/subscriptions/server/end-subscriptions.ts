// Ends subscriptions whose time has come.
import type { World } from '#platform/server/ctx.ts';
import { job } from '#platform/server/jobs.ts';
import { work } from '#platform/server/work.ts';
import { endedSubscriptions, moveTo } from './store.ts';

/** Moves every 'cancelling' subscription past its end to 'canceled'; by itself every ten minutes. */
export const endSubscriptionsJob = job({
  name: 'end-subscriptions',
  schedule: '*/10 * * * *',
  run: async (world: World) => {
    await work(world, { actor: { kind: 'system', name: 'end-subscriptions' } }, async (ctx) => {
      for (const row of await endedSubscriptions(ctx)) await moveTo(ctx, row, 'canceled', row.endsAt, 'period ended');
    });
  },
});
