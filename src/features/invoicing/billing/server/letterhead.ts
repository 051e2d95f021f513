// Who sells, by which name and in which time zone: as it is now, and as it was when a bill was issued.
import { sha256 } from '#platform/server/security/digest.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { brandName, companyPrefix } from '#features/access/identity/server/index.ts';
import { taxSeller } from '#features/invoicing/taxes/server/index.ts';
import type { Party } from './bill-document.ts';
import { seller } from './settings.ts';

/** What documents say about their issuer. */
export type Letterhead = { readonly brand: string; readonly seller: Seller; readonly timeZone: string };
/** Who sells; the account for transfers only where it is known. */
export type Seller = Party & { readonly iban?: string; readonly bic?: string };

/** What the console is called, and who sells: its operator, by the console's name until more is known of them. */
export async function sellerOf(ctx: Ctx): Promise<Omit<Letterhead, 'timeZone'>> {
  const [brand, prefix, known] = [
    await brandName(ctx),
    await ctx.setting(companyPrefix),
    await ctx.setting(seller),
  ];
  const forTaxes = Object.entries(await ctx.setting(taxSeller)).filter(([, value]) => value !== '');
  return {
    brand,
    // What was not given is left out, so that letterheads of before there was such a thing stay the same.
    seller: { ...known, name: known.name || prefix || brand, ...Object.fromEntries(forTaxes) },
  };
}

/** The id of a letterhead: its digest, so that equal ones are one. */
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
