// The details of a charge that its short sentence leaves out: each of its rates and tiers, free quantities,
// and limits.
import type { Currency } from '#kernel/money.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import type { Charge } from '../contract.ts';
import { chargeDetails } from '../rules.ts';

/** {@link chargeDetails} in the user's language. */
export function useChargeDetails(currency: Currency): (charge: Charge, unit: string) => readonly string[] {
  const { t } = useTranslation('rating');
  const format = useFormat();
  return (charge, unit) => chargeDetails(charge, unit, currency, t, format);
}
