// Tax rates and how services are taxed: list them, add them from a day on, and remove them before that day.
import type { In } from '#kernel/contract.ts';
import { countryChoices, isCountry } from '#kernel/countries.ts';
import { decimal } from '#kernel/decimal.ts';
import { domainError } from '#kernel/errors.ts';
import { allLanguages } from '#kernel/language.ts';
import type { LocalDay, Page } from '#kernel/shape.ts';
import { dayOf } from '#kernel/time.ts';
import { required } from '#kernel/assert.ts';
import { person, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { timeZoneSetting } from '#features/access/identity/server/index.ts';
import { taxesErrors, type ServiceTax, type taxes, type TaxRate } from '../contract.ts';
import {
  deleteRate,
  insertRate,
  lockRate,
  pageOfRates,
  pageOfServices,
  serviceTaxById,
  storeServiceTax,
} from './store.ts';

/** Today in the seller's time zone. */
const today = async (ctx: Ctx): Promise<LocalDay> => dayOf(ctx.now, await ctx.setting(timeZoneSetting));

/** Returns countries whose name in any language contains a text. */
function countriesNamed(q: string | undefined): string[] {
  const wanted = q?.trim().toLowerCase() ?? '';
  if (wanted === '') return [];
  return allLanguages().flatMap((language) =>
    countryChoices(language).flatMap(({ value, label }) =>
      label.toLowerCase().includes(wanted) ? [value] : [],
    ),
  );
}

export async function listTaxRates(ctx: Ctx, input: In<typeof taxes.listTaxRates>): Promise<Page<TaxRate>> {
  return pageOfRates(ctx, input, await today(ctx), countriesNamed(input.q));
}

/** Adds a rate from a day on. Issued bills keep their rate; they are never recomputed. */
export async function addTaxRate(ctx: Ctx, input: In<typeof taxes.addTaxRate>): Promise<TaxRate> {
  const { country, category, rate, validFrom } = input;
  if (!isCountry(country)) throw domainError(taxesErrors, 'taxes.country_unknown', {}, ['country']);
  if (rate !== null && decimal(rate).gt(decimal('100')))
    throw domainError(taxesErrors, 'taxes.rate_out_of_range', {}, ['rate']);
  if (rate === null && category === 'standard')
    throw domainError(taxesErrors, 'taxes.standard_needed', {}, ['rate']);
  const id = await insertRate(ctx, { country, category, rate, validFrom, addedBy: person(ctx).userId });
  if (id === undefined) throw domainError(taxesErrors, 'taxes.rate_exists');
  ctx.audit('taxes.addTaxRate', id, { country, category, rate, validFrom });
  ctx.publish('system/billing', { kind: 'taxes' });
  const { items } = await pageOfRates(ctx, { q: country, limit: 100 }, await today(ctx), []);
  return required(
    items.find((each) => each.id === id),
    'the rate that was just added',
  );
}

/**
 * Removes a rate that is not in force yet; one in force may be on bills and can only be followed by another.
 */
export async function removeTaxRate(ctx: Ctx, { rateId }: In<typeof taxes.removeTaxRate>): Promise<null> {
  const rate = await lockRate(ctx, rateId);
  if (!rate) throw domainError(taxesErrors, 'taxes.rate_not_found');
  if (rate.validFrom <= (await today(ctx))) throw domainError(taxesErrors, 'taxes.rate_in_force');
  await deleteRate(ctx, rateId);
  ctx.audit('taxes.removeTaxRate', rateId, rate);
  ctx.publish('system/billing', { kind: 'taxes' });
  return null;
}

export async function listServiceTaxes(
  ctx: Ctx,
  input: In<typeof taxes.listServiceTaxes>,
): Promise<Page<ServiceTax>> {
  return pageOfServices(ctx, input);
}

export async function setServiceTax(
  ctx: Ctx,
  { serviceId, category }: In<typeof taxes.setServiceTax>,
): Promise<ServiceTax> {
  const before = await serviceTaxById(ctx, serviceId);
  if (!before) throw domainError(taxesErrors, 'taxes.service_not_found');
  await storeServiceTax(ctx, serviceId, category, person(ctx).userId);
  ctx.audit('taxes.setServiceTax', serviceId, { before: before.category, after: category });
  ctx.publish('system/billing', { kind: 'taxes' });
  return { ...before, category };
}
