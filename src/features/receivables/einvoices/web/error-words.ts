// Why an e-invoice is waiting or failed, in the user's language; messages of a provider are shown unchanged.
import { einvoicesErrors } from '../contract.ts';
import { useTranslation, type TextKey } from '#platform/web/i18n/i18n.ts';

const fields: Readonly<Record<string, TextKey<'einvoices'>>> = {
  'buyer.name': 'einvoices.company_name',
  'buyer.taxId': 'einvoices.tax_id',
  'buyer.address': 'einvoices.field_address',
  'buyer.email': 'einvoices.field_email',
  'seller.name': 'einvoices.seller',
  'carrier.code': 'einvoices.carrier',
  donationCode: 'einvoices.donated',
};

const isKnown = (code: string): code is keyof typeof einvoicesErrors => Object.hasOwn(einvoicesErrors, code);

export function useErrorWords(): (code: string, words: string) => string {
  const { t } = useTranslation('einvoices');
  return (code, words) => {
    if (isKnown(code)) return t(code, { name: words, code: '', reason: words });
    const [kind, field = ''] = code.split(':');
    const label = fields[field];
    const name = label === undefined ? field : t(label);
    if (kind === 'field_missing') return t('einvoices.field_missing', { field: name });
    if (kind === 'field_long') return t('einvoices.field_long', { field: name });
    if (kind === 'field_wrong') return t('einvoices.field_wrong', { field: name });
    return [words, code === '' ? '' : `(${code})`].filter((part) => part !== '').join(' ');
  };
}
