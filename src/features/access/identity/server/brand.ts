// The console's brand for users: the operator's, or that of the reseller who sells to their organization.
import type { Mail } from '#platform/server/mail/mail.ts';
import { brandAddress } from '#platform/server/unit-of-work/brand-address.ts';
import type { Brand } from '#platform/server/unit-of-work/brands.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { companyPrefix, systemName } from './settings.ts';

/** The operator's name, company and system as the title bar shows them: "Formosa Cloud Console". */
export async function brandName(ctx: Ctx): Promise<string> {
  return [await ctx.setting(companyPrefix), await ctx.setting(systemName)].join(' ').trim();
}

/** The brand under which the console writes to somebody. */
export type ShownBrand = {
  readonly name: string;
  /** For links, without a trailing slash. */
  readonly address: string;
  /** Whether it is a reseller's. */
  readonly isReseller: boolean;
  /** The sender's details in a mail. */
  readonly mail: Pick<Mail, 'brand' | 'accent' | 'sender'>;
};

function shown(ctx: Ctx, own: string, brand: Brand | undefined): ShownBrand {
  if (!brand) return { name: own, address: ctx.app.address(), isReseller: false, mail: { brand: own } };
  const { name, senderName, replyTo, accent, host } = brand;
  return {
    name,
    address: brandAddress(ctx.app, host),
    isReseller: true,
    mail: {
      brand: name,
      ...(accent !== null && { accent }),
      sender: { name: senderName === '' ? name : senderName, ...(replyTo !== '' && { replyTo }) },
    },
  };
}

/** The brand for mail to an organization's people; null: to the operator's own. */
export async function brandOf(ctx: Ctx, organizationId: string | null): Promise<ShownBrand> {
  const brand =
    organizationId === null
      ? undefined
      : await ctx.app.brands.ofOrganization(ctx.db, organizationId, ctx.now);
  return shown(ctx, await brandName(ctx), brand);
}

/** The brand for mail to each of some users. */
export async function brandsOfUsers(
  ctx: Ctx,
  userIds: readonly string[],
): Promise<(userId: string) => ShownBrand> {
  const brands = await ctx.app.brands.ofUsers(ctx.db, userIds, ctx.now);
  const own = await brandName(ctx);
  return (userId) => shown(ctx, own, brands.get(userId));
}
