// A bill to take away: PDF in either language, CSV, or on paper (R-BILL-04).
import DownloadOutlined from '@mui/icons-material/DownloadOutlined';
import PictureAsPdfOutlined from '@mui/icons-material/PictureAsPdfOutlined';
import PrintOutlined from '@mui/icons-material/PrintOutlined';
import Button from '@mui/material/Button';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { useState } from 'react';
import { languages } from '#kernel/language.ts';
import type { Bill } from '#features/billing/contract.ts';
import { saveFile, type Download } from '#platform/web/api.ts';
import { useLanguage } from '#platform/web/i18n.ts';
import { useCall } from '#platform/web/queries.ts';
import { toast } from '#platform/web/toasts.ts';
import { billingApi } from './api.ts';
import { useBillingTexts } from './texts.ts';

export function BillFiles({ bill }: { bill: Pick<Bill, 'id' | 'number'> }) {
  const t = useBillingTexts();
  const language = useLanguage();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const whenDone = {
    onSuccess: (file: Download) => {
      saveFile(file);
      toast.success(t('billing.downloaded'));
    },
    onError: toast.failure,
  };
  const pdf = useCall(billingApi.billPdf, whenDone);
  const csv = useCall(billingApi.billCsv, whenDone);
  const choose = (wanted: (typeof languages)[number]) => {
    setAnchor(null);
    pdf.mutate({ billId: bill.id, language: wanted });
  };
  return (
    <>
      <Button variant="outlined" startIcon={<PictureAsPdfOutlined />} aria-haspopup="menu" aria-expanded={anchor !== null} loading={pdf.isPending} loadingPosition="start" onClick={(event) => setAnchor(event.currentTarget)}>{t('billing.download_pdf')}</Button>
      {anchor && (
        <Menu open anchorEl={anchor} onClose={() => setAnchor(null)}>
          {/* used as: 'billing.pdf_in_*' */}
          {languages.map((one) => <MenuItem key={one} onClick={() => choose(one)}>{t(`billing.pdf_in_${one}`)}</MenuItem>)}
        </Menu>
      )}
      <Button variant="outlined" startIcon={<DownloadOutlined />} loading={csv.isPending} loadingPosition="start" onClick={() => csv.mutate({ billId: bill.id, language })}>{t('billing.download_csv')}</Button>
      <Button variant="outlined" startIcon={<PrintOutlined />} onClick={() => print()}>{t('billing.print')}</Button>
    </>
  );
}
