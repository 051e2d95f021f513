// Resellers' branding towards their customers: configured by themselves, or by Admins on their behalf.
import type { FileAnswer, In } from '#kernel/contract.ts';
import { domainError } from '#kernel/errors.ts';
import { brandAddress } from '#platform/server/unit-of-work/brand-address.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Reply } from '#platform/server/unit-of-work/feature.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { randomSecret, uploadedPicture } from '#features/access/identity/server/index.ts';
import { mailDomain, proofRecord } from '#features/access/providers/rules.ts';
import { txtRecords } from '#features/access/providers/server/index.ts';
import { isPaleAccent } from '#kernel/accent.ts';
import { hostMistake } from '#features/selling/resale/rules.ts';
import {
  logoById,
  markHostVerified,
  putBrand,
  putHost,
  putLogo,
  storedBrand,
} from '#features/selling/resale/server/index.ts';
import { resellersErrors, type Reseller, type resellers, type SellerBrand } from '../contract.ts';
import { ownReseller } from './own.ts';
import { allResellers, lockResellerRow } from './store.ts';

type Known = Pick<Reseller, 'organizationId' | 'name'>;

async function shownBrand(ctx: Ctx, { organizationId, name }: Known): Promise<SellerBrand> {
  const { accent, logo, senderName, replyTo, host, challenge, verifiedAt } = await storedBrand(
    ctx.db,
    organizationId,
  );
  return {
    resellerId: organizationId,
    name,
    accent,
    logo,
    senderName,
    replyTo,
    host:
      host === null || challenge === null
        ? null
        : {
            name: host,
            address: brandAddress(ctx.app, host),
            verifiedAt,
            record: proofRecord(host, challenge),
          },
    mailFrom: ctx.app.config.mailFrom,
    mainAddress: ctx.app.address(),
  };
}

/** Publishes that the brand changed, to the reseller and to pages that show its customers, and returns it. */
async function changed(
  ctx: Ctx,
  reseller: Known,
  action: string,
  detail: Readonly<Record<string, unknown>>,
): Promise<SellerBrand> {
  ctx.audit(`resellers.${action}`, reseller.organizationId, detail);
  ctx.publish('system/billing', { kind: 'resellers' });
  ctx.publish(`org/${reseller.organizationId}/bills`, { kind: 'brand' });
  return shownBrand(ctx, reseller);
}

async function save(
  ctx: Ctx,
  reseller: Known,
  brand: In<typeof resellers.saveBrand>,
  action: string,
): Promise<SellerBrand> {
  if (brand.accent !== null && isPaleAccent(brand.accent))
    throw domainError(resellersErrors, 'resellers.accent_pale', {}, ['accent']);
  await putBrand(ctx, reseller.organizationId, brand);
  return changed(ctx, reseller, action, brand);
}

async function takeLogo(ctx: Ctx, reseller: Known, { raw }: Reply, action: string): Promise<SellerBrand> {
  const { picture, sent } = await uploadedPicture(ctx, raw, 'logo');
  return inUnit(ctx, async (own) => {
    await putLogo(own, reseller.organizationId, picture);
    return changed(own, reseller, action, sent);
  });
}

async function dropLogo(ctx: Ctx, reseller: Known, action: string): Promise<SellerBrand> {
  await putLogo(ctx, reseller.organizationId, null);
  return changed(ctx, reseller, action, {});
}

async function claimHost(
  ctx: Ctx,
  reseller: Known,
  given: string | null,
  action: string,
): Promise<SellerBrand> {
  await lockResellerRow(ctx, reseller.organizationId);
  if (given === null) {
    await putHost(ctx, reseller.organizationId, null);
    return changed(ctx, reseller, action, { host: null });
  }
  const host = mailDomain(given);
  const mistake = hostMistake(host, new URL(ctx.app.address()).hostname);
  if (host === undefined || mistake)
    throw domainError(resellersErrors, mistake ?? 'resellers.host_wrong', {}, ['host']);
  // Claiming the same name again keeps its record and its verification.
  if ((await storedBrand(ctx.db, reseller.organizationId)).host !== host)
    await putHost(ctx, reseller.organizationId, { host, challenge: randomSecret() });
  return changed(ctx, reseller, action, { host });
}

/** Looks up the record outside transactions, because a DNS server may take seconds. */
async function proveHost(ctx: Ctx, reseller: Known, action: string): Promise<SellerBrand> {
  const { host, challenge } = await storedBrand(ctx.db, reseller.organizationId);
  if (host === null || challenge === null) throw domainError(resellersErrors, 'resellers.host_missing');
  const record = proofRecord(host, challenge);
  const texts = await txtRecords(ctx.app, record.name);
  if (texts === undefined) throw domainError(resellersErrors, 'resellers.dns_unavailable');
  if (!texts.some((each) => each.trim() === record.value))
    throw domainError(
      resellersErrors,
      texts.length === 0 ? 'resellers.host_record_missing' : 'resellers.host_record_other',
      { name: record.name },
    );
  return inUnit(ctx, async (own) => {
    if (!(await markHostVerified(own, reseller.organizationId, { host, challenge })))
      throw domainError(resellersErrors, 'resellers.host_taken', { host });
    return changed(own, reseller, action, { host });
  });
}

const inUnit = <T>({ app, actor, language, requestId }: Ctx, work: (own: Ctx) => Promise<T>): Promise<T> =>
  unitOfWork(app, { actor, language, requestId }, work);

/** Returns the reseller that an Admin names. */
async function named(ctx: Ctx, resellerId: string): Promise<Known> {
  const [found] = await allResellers(ctx, resellerId);
  if (!found) throw domainError(resellersErrors, 'resellers.not_found');
  return found;
}

export const ownBrand = async (ctx: Ctx): Promise<SellerBrand> => shownBrand(ctx, await ownReseller(ctx));

export const saveBrand = async (ctx: Ctx, input: In<typeof resellers.saveBrand>): Promise<SellerBrand> =>
  save(ctx, await ownReseller(ctx), input, 'saveBrand');

export const setLogo = async (ctx: Ctx, _input: object, reply: Reply): Promise<SellerBrand> =>
  takeLogo(ctx, await ownReseller(ctx), reply, 'setLogo');

export const removeLogo = async (ctx: Ctx): Promise<SellerBrand> =>
  dropLogo(ctx, await ownReseller(ctx), 'removeLogo');

export const setHost = async (ctx: Ctx, { host }: In<typeof resellers.setHost>): Promise<SellerBrand> =>
  claimHost(ctx, await ownReseller(ctx), host, 'setHost');

export const verifyHost = async (ctx: Ctx): Promise<SellerBrand> =>
  proveHost(ctx, await ownReseller(ctx), 'verifyHost');

export const adminBrand = async (
  ctx: Ctx,
  { resellerId }: In<typeof resellers.adminBrand>,
): Promise<SellerBrand> => shownBrand(ctx, await named(ctx, resellerId));

export const adminSaveBrand = async (
  ctx: Ctx,
  { resellerId, ...brand }: In<typeof resellers.adminSaveBrand>,
): Promise<SellerBrand> => save(ctx, await named(ctx, resellerId), brand, 'adminSaveBrand');

export const adminSetLogo = async (
  ctx: Ctx,
  { resellerId }: In<typeof resellers.adminSetLogo>,
  reply: Reply,
): Promise<SellerBrand> => takeLogo(ctx, await named(ctx, resellerId), reply, 'adminSetLogo');

export const adminRemoveLogo = async (
  ctx: Ctx,
  { resellerId }: In<typeof resellers.adminRemoveLogo>,
): Promise<SellerBrand> => dropLogo(ctx, await named(ctx, resellerId), 'adminRemoveLogo');

export const adminSetHost = async (
  ctx: Ctx,
  { resellerId, host }: In<typeof resellers.adminSetHost>,
): Promise<SellerBrand> => claimHost(ctx, await named(ctx, resellerId), host, 'adminSetHost');

export const adminVerifyHost = async (
  ctx: Ctx,
  { resellerId }: In<typeof resellers.adminVerifyHost>,
): Promise<SellerBrand> => proveHost(ctx, await named(ctx, resellerId), 'adminVerifyHost');

/** Returns a logo to anyone who knows its id: it is shown on the sign-in page, before signing in. */
export async function brandLogo(ctx: Ctx, { logoId }: In<typeof resellers.brandLogo>): Promise<FileAnswer> {
  const logo = await logoById(ctx.db, logoId);
  if (!logo) throw domainError(resellersErrors, 'resellers.logo_not_found');
  return { fileName: `${logoId}.png`, mediaType: 'image/png', body: logo };
}
