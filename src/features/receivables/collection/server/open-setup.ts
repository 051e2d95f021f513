// The data by which a provider finds a card entry again.
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { OpenSetup } from '#features/receivables/gateways/server/index.ts';
import { customerOf, referencesOf, type CardSetup } from './store.ts';

/** Undefined if the provider was never reached. */
export async function openSetupOf(ctx: Ctx, setup: CardSetup): Promise<OpenSetup | undefined> {
  const { id, organizationId, provider, checkoutReference, createdAt } = setup;
  if (checkoutReference === null) return undefined;
  return {
    setupId: id,
    reference: checkoutReference,
    customer: (await customerOf(ctx, organizationId, provider)) ?? '',
    known: await referencesOf(ctx, organizationId, provider),
    createdAt,
  };
}
