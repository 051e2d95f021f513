// Determines how organizations' bills are taxed: settings are read once for many of them.
import { required } from '#kernel/assert.ts';
import type { LocalDay } from '#kernel/shape.ts';
import { setting } from '#platform/server/unit-of-work/settings.ts';
import { unsignedDecimal } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Organization } from '#features/access/identity/contract.ts';
import {
  plainTaxation,
  reasonOf,
  taxationOf,
  type ReasonedCode,
  type ReasonNames,
  type Taxation,
} from '../rules.ts';
import type { ExemptionReason } from '../contract.ts';
import { taxSeller } from './settings.ts';
import { ratesOf, refusedVatIds, serviceCategories } from './store.ts';

/** The tax rate in percent for organizations taxed at the standard rate; 5 in Taiwan. */
export const taxRate = setting('billing.taxRate', unsignedDecimal, '5');

/** Why there is no tax, in both languages. */
function reasonNames(ctx: Ctx): ReasonNames {
  // used as: 'taxes.reason_*'
  const named = (category: ReasonedCode) => ({
    zhTW: ctx.text(`taxes.reason_${category}`, {}, 'zhTW'),
    enUS: ctx.text(`taxes.reason_${category}`, {}, 'enUS'),
  });
  return { AE: named('AE'), E: named('E'), K: named('K'), G: named('G'), O: named('O') };
}
/** The reason on bills issued before tax categories existed: the buyer was exempt. */
export const exemptReason = (ctx: Ctx): ExemptionReason => reasonOf('E', reasonNames(ctx));

type Taxed = Pick<Organization, 'id' | 'taxStatus' | 'country' | 'vatId'>;

/**
 * Returns how the bills of some organizations are taxed on a day. If neither the seller's country nor any
 * service's category is configured, uses the installation's single rate, without a query.
 */
export async function taxationsOf(
  ctx: Ctx,
  organizations: readonly Taxed[],
  day: LocalDay,
): Promise<(organizationId: string) => Taxation> {
  const usualRate = await ctx.setting(taxRate);
  const { country: sellerCountry } = await ctx.setting(taxSeller);
  const services = await serviceCategories(ctx);
  if (sellerCountry === '' && services.size === 0) {
    const [standard, without] = [plainTaxation(usualRate), plainTaxation('0')];
    const status = new Map(organizations.map(({ id, taxStatus }) => [id as string, taxStatus]));
    return (id) => (status.get(id) === 'standard' ? standard : without);
  }
  const countries = new Set([sellerCountry, ...organizations.map(({ country }) => country)]);
  const rates = await ratesOf(
    ctx,
    [...countries].filter((country) => country !== ''),
  );
  const reasons = reasonNames(ctx);
  const withVatId = organizations.filter(({ vatId }) => vatId !== '').map(({ id }) => id);
  const refused = withVatId.length === 0 ? new Set<string>() : await refusedVatIds(ctx, withVatId);
  const taxations = new Map<string, Taxation>(
    organizations.map(({ id, country, vatId, taxStatus }) => [
      id,
      taxationOf(
        {
          sellerCountry,
          buyer: { country, vatId, taxStatus, isVatIdRefused: refused.has(id) },
          day,
          rates,
          usualRate,
          reasons,
        },
        services,
      ),
    ]),
  );
  return (id) => required(taxations.get(id), 'how an organization is taxed');
}
