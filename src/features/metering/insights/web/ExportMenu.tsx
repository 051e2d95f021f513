// Exports the explored figures as a file: CSV, Excel, or every charge in the columns of FOCUS.
import type { In } from '#kernel/contract.ts';
import { exportFormats, type insights } from '../contract.ts';
import { useLanguage, useTranslation } from '#platform/web/i18n/i18n.ts';
import { ExportMenu as Formats } from '#platform/web/ui/ExportMenu.tsx';
import { useDownload } from '#platform/web/api/use-download.ts';
import { insightsApi } from './api.ts';

export type ExportMenuProps = {
  readonly exportInput: Omit<In<typeof insights.exportUsage>, 'format' | 'language'>;
  readonly disabled: boolean;
};

export function ExportMenu({ exportInput, disabled }: ExportMenuProps) {
  const { t } = useTranslation('insights');
  const language = useLanguage();
  const download = useDownload();
  return (
    <Formats
      label={t('insights.export')}
      variant="contained"
      disabled={disabled}
      // used as: 'insights.export_*'
      formats={([...exportFormats, 'focus_1_3'] as const).map((value) => ({
        value,
        name: t(`insights.export_${value}`),
        hint: t(`insights.export_${value}_hint`),
      }))}
      onTake={(format) =>
        void download((options) =>
          insightsApi.exportUsage(
            {
              ...exportInput,
              ...(format === 'focus_1_3' ? { format: 'focus', version: '1.3' } : { format }),
              language,
            },
            options,
          ),
        )
      }
    />
  );
}
