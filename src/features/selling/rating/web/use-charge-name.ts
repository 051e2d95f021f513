// What a line of a bill is for, in the user's language.
import { inLanguage } from '#kernel/language.ts';
import { useLanguage, useTranslation } from '#platform/web/i18n/i18n.ts';
import type { Charge } from '../contract.ts';

type Named = Pick<Charge, 'name'> | undefined;

/**
 * A service, with the charge of its rate card or the name of its agreement: `Virtual machine: Seats`.
 * Agreements with the organization as a whole are not for a service and only have their own name.
 */
export function useChargeName(): (line: {
  readonly serviceName: string;
  readonly charge?: Named;
  readonly term?: Named;
}) => string {
  const { t } = useTranslation('rating');
  const language = useLanguage();
  return ({ serviceName, charge, term }) => {
    const part = inLanguage((charge ?? term)?.name, language);
    if (part === undefined) return serviceName;
    return serviceName === '' ? part : t('rating.of_service', { service: serviceName, charge: part });
  };
}
