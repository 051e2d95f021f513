// The proof of a bill: its content, how to recompute the bill, and the file to download.
import VerifiedOutlined from '~icons/ic/outline-verified';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import type { Bill } from '#features/invoicing/billing/contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { CodeBlock } from '#platform/web/ui/CodeBlock.tsx';
import { Modal } from '#platform/web/ui/Modal.tsx';
import { useDownload } from '#platform/web/api/use-download.ts';
import { billProofsApi } from './api.ts';

type BillProofProps = {
  readonly bill: Pick<Bill, 'id' | 'number'>;
  /** Whether it can be of any organization, for an Admin. */
  readonly isAdmin?: boolean;
};

export function BillProof({ bill, isAdmin = false }: BillProofProps) {
  const { t } = useTranslation('billproofs');
  const [isOpen, setIsOpen] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const download = useDownload();
  const close = (): void => setIsOpen(false);
  const take = (): void => {
    setIsBusy(true);
    const call = isAdmin ? billProofsApi.adminBillProof : billProofsApi.billProof;
    void download((options) => call({ billId: bill.id }, options)).then(() => setIsBusy(false));
  };
  return (
    <>
      <Button
        variant="outlined"
        startIcon={<VerifiedOutlined />}
        aria-haspopup="dialog"
        onClick={() => setIsOpen(true)}
      >
        {t('billproofs.open')}
      </Button>
      <Modal
        open={isOpen}
        title={t('billproofs.title', { number: bill.number })}
        onClose={close}
        actions={
          <>
            <Button onClick={close}>{t('billproofs.close')}</Button>
            <Button variant="contained" loading={isBusy} onClick={take}>
              {t('billproofs.download')}
            </Button>
          </>
        }
      >
        <Stack sx={{ gap: 2 }}>
          <Typography variant="body2">{t('billproofs.holds')}</Typography>
          <CodeBlock
            code={`unzip ${bill.number}-proof.zip -d proof\ncd proof\nnode verify-bill.mjs`}
            label={t('billproofs.commands')}
          />
          <Typography variant="body2">{t('billproofs.says')}</Typography>
          <Typography variant="body2" color="textSecondary">
            {t('billproofs.keys')}
          </Typography>
        </Stack>
      </Modal>
    </>
  );
}
