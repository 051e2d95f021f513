// The brand that a user sees: by their organization, and before they sign in by the host name that they
// opened.
import type { Id } from '#kernel/ids.ts';
import { brandAtHost } from '#platform/server/unit-of-work/brand-address.ts';
import type { Brand } from '#platform/server/unit-of-work/brands.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import {
  companyPrefix,
  organizationOfSession,
  supportEmail,
  systemName,
} from '#features/access/identity/server/index.ts';
import type { SeenAs } from '../contract-system.ts';

/** A brand in the form of the contract; undefined: the operator's own. */
async function describeBrand(ctx: Ctx, brand: Brand | undefined): Promise<SeenAs> {
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

/** The brand of who sells to an organization; undefined: the operator's. Operators have no organization. */
const brandOfOrganization = async (
  { app, db, now }: Ctx,
  organizationId: Id<'org'> | null,
): Promise<Brand | undefined> =>
  organizationId === null ? undefined : app.brands.ofOrganization(db, organizationId, now);

/** The brand at a host name, before sign-in. */
export async function seenAtHost(ctx: Ctx, host: string): Promise<SeenAs & { readonly isOwnHost: boolean }> {
  const brand = await brandAtHost(ctx.app, host);
  return { ...(await describeBrand(ctx, brand)), isOwnHost: brand !== undefined };
}

/** The brand for the caller. */
export async function seenAs(ctx: Ctx): Promise<SeenAs> {
  const { actor } = ctx;
  return describeBrand(
    ctx,
    await brandOfOrganization(ctx, actor.kind === 'user' ? actor.organizationId : null),
  );
}

/**
 * The brand of a page, whose code has not loaded yet: that of the session cookie's user, and without an open
 * session that of the host name. `secret` is the cookie's value. Does not continue the session.
 */
export async function brandOfPage(ctx: Ctx, secret: string | undefined, host: string): Promise<SeenAs> {
  const organizationId = secret === undefined ? undefined : await organizationOfSession(ctx, secret);
  if (organizationId === undefined) return describeBrand(ctx, await brandAtHost(ctx.app, host));
  return describeBrand(ctx, await brandOfOrganization(ctx, organizationId));
}
