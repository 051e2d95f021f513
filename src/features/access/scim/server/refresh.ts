// Admins change what the groups of a provider may do; the people whom it keeps up to date follow at once.
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { providerById } from '#features/access/providers/server/index.ts';
import { admit } from './admit.ts';
import { usersOf } from './store.ts';

const most = 100_000;

/** Brings everybody of a provider in line with its table of groups. */
export async function refreshProvisioned(
  ctx: Ctx,
  { providerId }: { readonly providerId: string },
): Promise<void> {
  const provider = await providerById(ctx.db, providerId);
  if (!provider) return;
  for (const { id } of await usersOf(ctx, providerId, undefined, { offset: 0, limit: most }))
    await admit(ctx, provider, id);
}
