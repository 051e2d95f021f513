// Exports a list as a spreadsheet file: Excel or CSV, in one menu.
import FileDownloadOutlined from '~icons/ic/outline-file-download';
import type { CallOptions, Download } from '#platform/web/api/api.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { RowMenu } from '#platform/web/ui/RowMenu.tsx';
import { useDownload } from '#platform/web/api/use-download.ts';

export function Files({
  name,
  call,
}: {
  name: string;
  call: (format: 'csv' | 'xlsx', options: CallOptions) => Promise<Download>;
}) {
  const { t } = useTranslation('books');
  const download = useDownload();
  const action = (format: 'csv' | 'xlsx', label: string) => ({
    label,
    icon: <FileDownloadOutlined fontSize="small" />,
    onClick: () => void download((options) => call(format, options)),
  });
  return (
    <RowMenu
      name={name}
      actions={[action('xlsx', t('books.export_xlsx')), action('csv', t('books.export_csv'))]}
    />
  );
}
