// The brand that a user sees: by their organization, and before they sign in by the host name that they
// opened.
import { brandAtHost } from '#platform/server/unit-of-work/brand-address.ts';
import type { Brand } from '#platform/server/unit-of-work/brands.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { companyPrefix, supportEmail, systemName } from '#features/access/identity/server/index.ts';
import type { SeenAs } from '../contract-system.ts';

async function seen(ctx: Ctx, brand: Brand | undefined): Promise<SeenAs> {
  if (brand)
    return {
      name: brand.name,
      companyPrefix: '',
      supportEmail: brand.replyTo,
      accent: brand.accent,
      logo: brand.logo,
    };
  return {
    name: await ctx.setting(systemName),
    companyPrefix: await ctx.setting(companyPrefix),
    supportEmail: await ctx.setting(supportEmail),
    accent: null,
    logo: null,
  };
}

/** The brand at a host name, before sign-in. */
export async function seenAtHost(ctx: Ctx, host: string): Promise<SeenAs & { readonly isOwnHost: boolean }> {
  const brand = await brandAtHost(ctx.app, host);
  return { ...(await seen(ctx, brand)), isOwnHost: brand !== undefined };
}

/** The brand for the caller. */
export async function seenAs(ctx: Ctx): Promise<SeenAs> {
  const { actor } = ctx;
  const organizationId = actor.kind === 'user' ? actor.organizationId : null;
  return seen(
    ctx,
    organizationId === null
      ? undefined
      : await ctx.app.brands.ofOrganization(ctx.db, organizationId, ctx.now),
  );
}
