// Applies a change of a provider's groups to the people that it provisions, at once.
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { providerById } from '#features/access/providers/server/index.ts';
import { admit } from './admit.ts';
import { usersOf } from './store.ts';

const most = 100_000;

/** Updates everybody whom a provider provisions according to its table of groups. */
export async function refreshProvisioned(
  ctx: Ctx,
  { providerId }: { readonly providerId: string },
): Promise<void> {
  const provider = await providerById(ctx.db, providerId);
  if (!provider) return;
  for (const { id } of await usersOf(ctx, providerId, undefined, { offset: 0, limit: most }))
    await admit(ctx, provider, id);
}
