// Determines how a line is taxed: by the locations of seller and buyer, the kind of buyer, what is sold and
// when.
import { decimal, isZero, trimDecimal } from '#kernel/decimal.ts';
import { isInEu } from '#kernel/countries.ts';
import type { LocalDay } from '#kernel/shape.ts';
import type { Organization } from '#features/access/identity/contract.ts';
import { vatIdIssue } from '#kernel/vat-ids.ts';
import type {
  ExemptionReason,
  LineTax,
  RateCategory,
  ServiceCategory,
  TaxCode,
  TaxRate,
} from './contract.ts';

/** A stored rate. */
export type RateRow = Pick<TaxRate, 'country' | 'category' | 'rate' | 'validFrom'>;

/** Returns the rate of a country and category on a day, in percent; undefined if there is none. */
export function rateOn(
  rates: readonly RateRow[],
  country: string,
  category: RateCategory,
  day: LocalDay,
): string | undefined {
  let found: RateRow | undefined;
  for (const row of rates)
    if (
      row.country === country &&
      row.category === category &&
      row.validFrom <= day &&
      (!found || row.validFrom > found.validFrom)
    )
      found = row;
  return found?.rate ?? undefined;
}

export type Buyer = Pick<Organization, 'country' | 'vatId' | 'taxStatus'> & {
  /** VIES reported that the VAT id does not exist. */
  readonly isVatIdRefused: boolean;
};
export type ToTax = {
  /** Empty if not configured; one rate then applies to everything. */
  readonly sellerCountry: string;
  readonly buyer: Buyer;
  readonly service: ServiceCategory;
  readonly day: LocalDay;
  readonly rates: readonly RateRow[];
  /** The installation's single rate, in percent: used for a country without rates. */
  readonly usualRate: string;
  readonly reasons: ReasonNames;
};

/**
 * Whether a company can be charged without tax abroad: it has a VAT id of its country that was not rejected.
 */
const isTaxedCompany = ({ country, vatId, isVatIdRefused }: Buyer): boolean =>
  vatId !== '' && !isVatIdRefused && vatIdIssue(vatId, country) === undefined;

/** Categories that require a reason why there is no tax. */
export type ReasonedCode = Exclude<TaxCode, 'S' | 'Z'>;
/** The reasons why there is no tax in both languages, by category. */
export type ReasonNames = Readonly<Record<ReasonedCode, ExemptionReason['name']>>;
/** The reason as stated on documents: its text, and its VATEX code if there is one. */
export const reasonOf = (category: ReasonedCode, names: ReasonNames): ExemptionReason => ({
  ...(category !== 'E' && { code: vatexCodes[category] }),
  name: names[category],
});
const vatexCodes = {
  AE: 'VATEX-EU-AE',
  K: 'VATEX-EU-IC',
  G: 'VATEX-EU-G',
  O: 'VATEX-EU-O',
} as const satisfies Record<Exclude<ReasonedCode, 'E'>, string>;

const zeroRated: LineTax = { category: 'Z', rate: '0' };
const without = (category: ReasonedCode, { reasons }: Pick<ToTax, 'reasons'>): LineTax => ({
  category,
  rate: '0',
  reason: reasonOf(category, reasons),
});
/** A rate of zero is "zero rated" in EN 16931, where a standard rate is positive (BR-S-05). */
const at = (rate: string): LineTax =>
  isZero(decimal(rate)) ? zeroRated : { category: 'S', rate: trimDecimal(rate) };

/**
 * Determines how a line is taxed. An Admin's setting for the organization takes precedence; then sales within
 * the seller's country; then the buyer's location:
 *
 * - in another EU country, a company: the buyer owes the tax (reverse charge, Directive 2006/112/EC art. 196;
 * goods art. 138),
 * - in another EU country, a consumer: the rate of the buyer's country (art. 58, one-stop shop),
 * - outside the seller's tax area: services are out of scope (art. 44, 58, 59), goods are exported (art.
 * 146); for a seller in Taiwan both are zero rated as exports (加值型及非加值型營業稅法 §7).
 *
 * A country without such a rate uses its next higher one.
 */
export function taxOf(asked: ToTax): LineTax {
  const { sellerCountry, buyer, service } = asked;
  if (buyer.taxStatus === 'zero') return zeroRated;
  if (buyer.taxStatus === 'exempt') return without('E', asked);
  if (sellerCountry === '' || buyer.country === '' || buyer.country === sellerCountry)
    return atHome(asked, sellerCountry);
  if (isInEu(sellerCountry) && isInEu(buyer.country)) {
    if (!isTaxedCompany(buyer)) return atHome(asked, buyer.country);
    return without(service === 'exempt' ? 'E' : service === 'goods' ? 'K' : 'AE', asked);
  }
  return without(sellerCountry === 'TW' || service === 'goods' ? 'G' : 'O', asked);
}

/** Taxes in a country; at the installation's single rate if the country has no known rates. */
function atHome(asked: ToTax, country: string): LineTax {
  const { service, rates, day, usualRate } = asked;
  if (service === 'zero') return zeroRated;
  if (service === 'exempt') return without('E', asked);
  const wanted: readonly RateCategory[] =
    service === 'second_reduced'
      ? ['second_reduced', 'reduced', 'standard']
      : service === 'reduced'
        ? ['reduced', 'standard']
        : ['standard'];
  for (const category of wanted) {
    const rate = rateOn(rates, country, category, day);
    if (rate !== undefined) return at(rate);
  }
  return at(usualRate);
}

/**
 * How the lines of a bill are taxed: those without a service, and those of services that are taxed
 * differently.
 */
export type Taxation = {
  readonly standard: LineTax;
  readonly services: ReadonlyMap<string, LineTax>;
  /** Used for everything exempt, wherever the service would be taxed; only if taxes are stated. */
  readonly exempt?: LineTax;
  /**
   * Whether the bill states taxes by category. Not if nothing was configured: those bills keep their form.
   */
  readonly isStated: boolean;
};

/** Taxes everything at one rate, in percent, as for bills when nothing is configured. */
export const plainTaxation = (rate: string): Taxation => ({
  standard: { category: isZero(decimal(rate)) ? 'Z' : 'S', rate },
  services: new Map(),
  isStated: false,
});

/** Returns how a line of a service is taxed; a line without a service uses the standard rate. */
export const taxOfService = ({ standard, services }: Taxation, serviceId: string | null): LineTax =>
  (serviceId !== null && services.get(serviceId)) || standard;

/** Lines of the same category and rate are taxed together. */
export const taxKey = ({ category, rate }: Pick<LineTax, 'category' | 'rate'>): string =>
  `${category} ${rate}`;

/**
 * Returns how an organization's bill is taxed. If the buyer is out of scope of tax, everything on the bill
 * must be (EN 16931, BR-O-11 to BR-O-14).
 */
export function taxationOf(
  asked: Omit<ToTax, 'service'>,
  services: ReadonlyMap<string, ServiceCategory>,
): Taxation {
  const { sellerCountry, buyer, usualRate } = asked;
  if (sellerCountry === '' && services.size === 0)
    return plainTaxation(buyer.taxStatus === 'standard' ? usualRate : '0');
  const standard = taxOf({ ...asked, service: 'standard' });
  const others = [...services].map(
    ([serviceId, service]) => [serviceId, taxOf({ ...asked, service })] as const,
  );
  return {
    standard,
    services: new Map(others.filter(([, tax]) => taxKey(tax) !== taxKey(standard))),
    exempt: taxOf({ ...asked, service: 'exempt' }),
    isStated: true,
  };
}
