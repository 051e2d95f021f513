// Downloads the printable proof of an own e-invoice.
import PictureAsPdfOutlined from '~icons/ic/outline-picture-as-pdf';
import type { EinvoiceDocument } from '../contract.ts';
import { useDownload } from '#platform/web/api/use-download.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { IconAction } from '#platform/web/ui/IconAction.tsx';
import { einvoicesApi } from './api.ts';

export function ProofButton({ one }: { one: Pick<EinvoiceDocument, 'id' | 'number'> }) {
  const { t } = useTranslation('einvoices');
  const download = useDownload();
  return (
    <IconAction
      size="small"
      label={t('einvoices.proof_of', { number: one.number ?? '' })}
      onClick={() => void download((options) => einvoicesApi.einvoiceProof({ einvoiceId: one.id }, options))}
    >
      <PictureAsPdfOutlined fontSize="small" />
    </IconAction>
  );
}
