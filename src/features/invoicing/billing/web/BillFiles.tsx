// Downloads and prints a bill: PDF in either language, CSV, or on paper (R-BILL-04).
import DownloadOutlined from '~icons/ic/outline-download';
import PictureAsPdfOutlined from '~icons/ic/outline-picture-as-pdf';
import PrintOutlined from '~icons/ic/outline-print';
import Button from '@mui/material/Button';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { useState } from 'react';
import { contentLanguages, type ContentLanguage, type Language } from '#kernel/language.ts';
import { useLanguage, useTranslation } from '#platform/web/i18n/i18n.ts';
import { useDownload } from '#platform/web/api/use-download.ts';
import type { billingApi } from './api.ts';

type FileCall = (
  language: Language,
  options: Parameters<typeof billingApi.billPdf>[1],
) => ReturnType<typeof billingApi.billPdf>;

export function BillFiles({ pdf, csv }: { readonly pdf: FileCall; readonly csv?: FileCall }) {
  const { t } = useTranslation('billing');
  const language = useLanguage();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [busy, setBusy] = useState<'pdf' | 'csv'>();
  const download = useDownload();
  const take = (format: 'pdf' | 'csv', wanted: Language): void => {
    setBusy(format);
    void download((options) => (format === 'csv' && csv ? csv : pdf)(wanted, options)).then(() =>
      setBusy(undefined),
    );
  };
  const choose = (wanted: ContentLanguage) => {
    setAnchor(null);
    take('pdf', wanted);
  };
  return (
    <>
      <Button
        variant="outlined"
        startIcon={<PictureAsPdfOutlined />}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        loading={busy === 'pdf'}
        loadingPosition="start"
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        {t('billing.download_pdf')}
      </Button>
      {anchor && (
        <Menu open anchorEl={anchor} onClose={() => setAnchor(null)}>
          {/* used as: 'billing.pdf_in_*' */}
          {contentLanguages.map((one) => (
            <MenuItem key={one} onClick={() => choose(one)}>
              {t(`billing.pdf_in_${one}`)}
            </MenuItem>
          ))}
        </Menu>
      )}
      {csv && (
        <Button
          variant="outlined"
          startIcon={<DownloadOutlined />}
          loading={busy === 'csv'}
          loadingPosition="start"
          onClick={() => take('csv', language)}
        >
          {t('billing.download_csv')}
        </Button>
      )}
      <Button variant="outlined" startIcon={<PrintOutlined />} onClick={() => print()}>
        {t('billing.print')}
      </Button>
    </>
  );
}
