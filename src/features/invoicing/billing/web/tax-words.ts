// A bill's taxes as text: each with its rate or the reason for having none, and with its base if there are
// several.
import { inLanguage } from '#kernel/language.ts';
import type { Money } from '#kernel/money.ts';
import type { BillDetail } from '../contract.ts';
import { useLanguage, useTranslation } from '#platform/web/i18n/i18n.ts';
import { useFormat } from '#platform/web/format/use-format.ts';

type Taxed = Pick<BillDetail, 'taxRate' | 'taxes' | 'tax'>;

/** The rows of a bill's taxes, for the end of its lines. */
export function useTaxRows({
  taxRate,
  taxes,
  tax,
}: Taxed): readonly (readonly [label: string, amount: Money])[] {
  const { t } = useTranslation('billing');
  const language = useLanguage();
  const format = useFormat();
  if (!taxes) return [[t('billing.tax', { rate: taxRate }), tax]];
  return taxes.map((one) => {
    const name =
      inLanguage(one.reason?.name, language) ??
      (one.category === 'Z' ? t('billing.tax_zero') : t('billing.tax', { rate: one.rate }));
    return [
      taxes.length === 1 ? name : t('billing.tax_on', { tax: name, net: format.money(one.net) }),
      one.tax,
    ];
  });
}

/** The only rate of a bill, in percent; undefined if it has several, or a reason instead of a rate. */
export function singleRate({ taxRate, taxes }: Pick<Taxed, 'taxRate' | 'taxes'>): string | undefined {
  if (!taxes) return taxRate;
  const [only, ...others] = taxes;
  return only && others.length === 0 && only.reason === undefined ? only.rate : undefined;
}
