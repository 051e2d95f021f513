// The seller's details and time zone: the current ones, and those at the time a bill was issued.
import { sha256 } from '#platform/server/security/digest.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { brandName, companyPrefix } from '#features/access/identity/server/index.ts';
import { taxSeller } from '#features/invoicing/taxes/server/index.ts';
import type { Party } from './bill-document.ts';
import { seller } from './settings.ts';

/** What documents state about their issuer. */
export type Letterhead = { readonly brand: string; readonly seller: Seller; readonly timeZone: string };
/** The seller; the account for transfers only if it is known. */
export type Seller = Party & { readonly iban?: string; readonly bic?: string };

/**
 * Returns the console's name and its operator as the seller; the console's name is used until the operator
 * enters more details.
 */
export async function sellerOf(ctx: Ctx): Promise<Omit<Letterhead, 'timeZone'>> {
  const [brand, prefix, known] = [
    await brandName(ctx),
    await ctx.setting(companyPrefix),
    await ctx.setting(seller),
  ];
  const forTaxes = Object.entries(await ctx.setting(taxSeller)).filter(([, value]) => value !== '');
  return {
    brand,
    // Missing details are left out, so that letterheads stored before these fields existed stay the same.
    seller: { ...known, name: known.name || prefix || brand, ...Object.fromEntries(forTaxes) },
  };
}

/** The id of a letterhead: its digest, so that equal letterheads share one. */
export function letterheadId({
  brand,
  seller: { name, taxId, address, email, country, vatId, iban, bic, electronicAddress },
  timeZone,
}: Letterhead): string {
  const forTaxes = [country, vatId, iban, bic, electronicAddress];
  return sha256(
    JSON.stringify([
      brand,
      name,
      taxId,
      address,
      email,
      timeZone,
      ...(forTaxes.some((value) => value !== undefined) ? [forTaxes.map((value) => value ?? '')] : []),
    ]),
  ).toString('base64url');
}
