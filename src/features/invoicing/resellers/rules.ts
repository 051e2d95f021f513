// Rules of resellers: their margin, and which mark-ups can be stored.
import { money, subtractMoney, type Currency, type Money } from '#kernel/money.ts';
import type { Charge } from '#features/selling/rating/contract.ts';
import type { MarkUps } from '#features/selling/resale/contract.ts';
import { ownAmount } from '#features/selling/resale/rules.ts';
import type { Margin, resellersErrors } from './contract.ts';

/** Sums what customers pay and what the reseller pays, by currency, with the difference. */
export function marginsOf(retail: readonly Money[], wholesale: readonly Money[]): Margin[] {
  const sumIn = (amounts: readonly Money[], currency: Currency): Money =>
    money(
      amounts.reduce((sum, each) => (each.currency === currency ? sum + each.minor : sum), 0n),
      currency,
    );
  const currencies = new Set([...retail, ...wholesale].map(({ currency }) => currency));
  return [...currencies].toSorted().map((currency) => {
    const [sold, bought] = [sumIn(retail, currency), sumIn(wholesale, currency)];
    return { currency, retail: sold, wholesale: bought, margin: subtractMoney(sold, bought) };
  });
}

export type MarkUpMistake = { readonly code: keyof typeof resellersErrors; readonly field: string };

/**
 * Why mark-ups are invalid, and at which field; undefined if they can be stored. `chargesOf` returns the
 * charges of a service; undefined for an unknown one.
 */
export function markUpMistake(
  { services }: MarkUps,
  chargesOf: (serviceId: string) => readonly Charge[] | undefined,
): MarkUpMistake | undefined {
  const seen = new Set<string>();
  for (const [index, { serviceId, charges }] of services.entries()) {
    const field = `markUps.services.${index}`;
    const known = chargesOf(serviceId);
    if (!known) return { code: 'resellers.service_not_found', field: `${field}.serviceId` };
    if (seen.has(serviceId)) return { code: 'resellers.service_twice', field: `${field}.serviceId` };
    seen.add(serviceId);
    for (const [place, { key }] of charges.entries()) {
      const charge = known.find((each) => each.key === key);
      if (!charge || ownAmount(charge) === undefined)
        return { code: 'resellers.charge_no_amount', field: `${field}.charges.${place}.key` };
    }
  }
  return undefined;
}
