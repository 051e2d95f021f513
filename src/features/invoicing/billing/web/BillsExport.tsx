// Exports the bills of a list as a file: every line and tax, as a table or in the columns of FOCUS.
import type { CallOptions, Download } from '#platform/web/api/api.ts';
import type { Language } from '#kernel/language.ts';
import type { In } from '#kernel/contract.ts';
import type { FocusVersion } from '#features/metering/insights/rules.ts';
import { billExportFormats, type billing } from '../contract.ts';
import { useLanguage, useTranslation } from '#platform/web/i18n/i18n.ts';
import { ExportMenu } from '#platform/web/ui/ExportMenu.tsx';
import { billingApi } from './api.ts';
import { useDownload } from '#platform/web/api/use-download.ts';

export type BillsExportProps = {
  readonly call: (
    input: {
      format: (typeof billExportFormats)[number];
      version?: FocusVersion;
      language: Language;
    },
    options: CallOptions,
  ) => Promise<Download>;
  /** Years whose bills are available as an archive of PDFs. */
  readonly years?: readonly string[];
};

export function BillsExport({ call, years = [] }: BillsExportProps) {
  const { t } = useTranslation('billing');
  const language = useLanguage();
  const download = useDownload();
  // used as: 'billing.export_*'
  const tables = ([...billExportFormats, 'focus_1_3'] as const).map((value) => ({
    value,
    name: t(`billing.export_${value}`),
    hint: t(`billing.export_${value}_hint`),
  }));
  const archives = years.map((year) => ({
    value: year,
    name: t('billing.export_year', { year }),
    hint: t('billing.export_year_hint'),
  }));
  return (
    <ExportMenu
      label={t('billing.export')}
      formats={[...archives, ...tables]}
      onTake={(format) =>
        void download((options) => {
          const table = tables.find(({ value }) => value === format)?.value;
          if (table === undefined) return billingApi.billsOfYear({ year: format, language }, options);
          return call(
            {
              ...(table === 'focus_1_3' ? { format: 'focus', version: '1.3' } : { format: table }),
              language,
            },
            options,
          );
        })
      }
    />
  );
}

/** The filters of a list, without its page and order. */
export const filterOf = ({
  q,
  state,
  month,
}: Pick<In<typeof billing.exportBills>, 'q' | 'state' | 'month'>): Pick<
  In<typeof billing.exportBills>,
  'q' | 'state' | 'month'
> => ({
  ...(q && { q }),
  ...(state && { state }),
  ...(month && { month }),
});
