// Exports a report as a spreadsheet file: Excel or CSV, in one menu.
import FileDownloadOutlined from '~icons/ic/outline-file-download';
import type { In } from '#kernel/contract.ts';
import { useDownload } from '#platform/web/api/use-download.ts';
import { useLanguage, useTranslation } from '#platform/web/i18n/i18n.ts';
import { RowMenu } from '#platform/web/ui/RowMenu.tsx';
import type { metrics } from '../contract.ts';
import { metricsApi } from './api.ts';

type Asked = Omit<In<typeof metrics.export>, 'format' | 'language'>;

export function ReportFiles(asked: Asked) {
  const { t } = useTranslation('metrics');
  const language = useLanguage();
  const download = useDownload();
  // used as: 'metrics.export_csv', 'metrics.export_xlsx', 'metrics.report_*'
  const action = (format: 'csv' | 'xlsx') => ({
    label: t(`metrics.export_${format}`),
    icon: <FileDownloadOutlined fontSize="small" />,
    onClick: () => void download((options) => metricsApi.export({ ...asked, format, language }, options)),
  });
  return (
    <RowMenu
      name={t('metrics.export', { report: t(`metrics.report_${asked.report}`) })}
      actions={[action('xlsx'), action('csv')]}
    />
  );
}
