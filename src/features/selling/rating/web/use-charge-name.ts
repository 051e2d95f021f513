// What a line of a bill is for, in the reader's language.
import { useLanguage, useTranslation } from '#platform/web/i18n/i18n.ts';
import type { Charge } from '../contract.ts';

/** A service, with the charge of its rate card where there is one: `Virtual machine: Seats`. */
export function useChargeName(): (line: {
  readonly serviceName: string;
  readonly charge?: Pick<Charge, 'key' | 'name'> | undefined;
}) => string {
  const { t } = useTranslation('rating');
  const language = useLanguage();
  return ({ serviceName, charge }) =>
    charge === undefined
      ? serviceName
      : t('rating.of_service', { service: serviceName, charge: charge.name[language] });
}
