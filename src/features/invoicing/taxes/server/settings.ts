// Settings of taxes: the seller, and whether VAT ids are checked with VIES.
import type { In } from '#kernel/contract.ts';
import * as z from 'zod/mini';
import { isCountry } from '#kernel/countries.ts';
import { ValidationError, type FieldError } from '#kernel/errors.ts';
import { person, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { setting, storeSetting } from '#platform/server/unit-of-work/settings.ts';
import { isElectronicAddress, tidyVatId, vatIdExample, vatIdIssue } from '#kernel/vat-ids.ts';
import { TaxSeller, type taxes, type taxesErrors, type TaxSettings } from '../contract.ts';
import { isBic, isIban, normalAccount } from '../rules-accounts.ts';

/**
 * The seller, for taxes and electronic documents; name, 統一編號 and address are those of the seller on bills.
 */
export const taxSeller = setting<TaxSeller>('taxes.seller', TaxSeller, {
  country: '',
  vatId: '',
  iban: '',
  bic: '',
  electronicAddress: '',
});
/** Whether VAT ids of the EU are checked with VIES. */
export const isViesOn = setting('taxes.vies', z.boolean(), false);

export async function getTaxSettings(ctx: Ctx): Promise<TaxSettings> {
  return { seller: await ctx.setting(taxSeller), isViesOn: await ctx.setting(isViesOn) };
}

type Mistake = FieldError & { readonly code: keyof typeof taxesErrors };

function mistakesOf({ country, vatId, iban, bic, electronicAddress }: TaxSeller): Mistake[] {
  const wrong = (
    isWrong: boolean,
    field: keyof TaxSeller,
    code: Mistake['code'],
    params?: object,
  ): Mistake[] => (isWrong ? [{ field, code, ...(params && { params: { ...params } }) }] : []);
  return [
    ...wrong(country !== '' && !isCountry(country), 'country', 'taxes.country_unknown'),
    ...wrong(vatId !== '' && vatIdIssue(vatId, country) !== undefined, 'vatId', 'taxes.vat_id_wrong', {
      example: vatIdExample(country || 'DE'),
    }),
    ...wrong(iban !== '' && !isIban(iban), 'iban', 'taxes.iban_wrong'),
    ...wrong(bic !== '' && !isBic(bic), 'bic', 'taxes.bic_wrong'),
    ...wrong(
      electronicAddress !== '' && !isElectronicAddress(electronicAddress),
      'electronicAddress',
      'taxes.electronic_address_wrong',
    ),
  ];
}

/** @throws ValidationError naming every invalid field. */
export async function saveTaxSettings(
  ctx: Ctx,
  input: In<typeof taxes.saveTaxSettings>,
): Promise<TaxSettings> {
  const seller: TaxSeller = {
    country: input.country.toUpperCase(),
    vatId: tidyVatId(input.vatId),
    iban: normalAccount(input.iban),
    bic: normalAccount(input.bic),
    electronicAddress: input.electronicAddress,
  };
  const mistakes = mistakesOf(seller);
  if (mistakes.length > 0) throw new ValidationError(mistakes);
  const before = await getTaxSettings(ctx);
  const { userId } = person(ctx);
  await storeSetting(ctx.db, taxSeller, seller, ctx.now, userId);
  await storeSetting(ctx.db, isViesOn, input.isViesOn, ctx.now, userId);
  const after = { seller, isViesOn: input.isViesOn };
  ctx.audit('taxes.saveTaxSettings', undefined, { before, after });
  ctx.publish('system/billing', { kind: 'taxes' });
  return after;
}
