// A card as text: its brand and its last four digits.
import { useTranslation } from '#platform/web/i18n/i18n.ts';

/** Names as their owners write them; other brands are shown as the provider names them. */
const brands: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  jcb: 'JCB',
  unionpay: 'UnionPay',
  discover: 'Discover',
  diners: 'Diners Club',
};

export function useCardName(): (card: { readonly brand: string; readonly last4: string }) => string {
  const { t } = useTranslation('collection');
  return ({ brand, last4 }) => t('collection.card_name', { brand: brands[brand] ?? brand, last4 });
}
