// A bill as a file that the buyer's software reads: UBL, or Factur-X in its PDF.
import DescriptionOutlined from '~icons/ic/outline-description';
import Button from '@mui/material/Button';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { useState } from 'react';
import type { Bill } from '#features/invoicing/billing/contract.ts';
import { useLanguage, useTranslation } from '#platform/web/i18n/i18n.ts';
import { useDownload } from '#platform/web/api/use-download.ts';
import { documentNames, type DocumentName } from '../contract.ts';
import { en16931Api } from './api.ts';

type BillDocumentsProps = {
  readonly bill: Pick<Bill, 'id' | 'state'>;
  /** For an Admin: of any organization. */
  readonly isAdmin?: boolean;
};

/** Nothing for a void bill: its file is that of the bill in its place. */
export function BillDocuments({ bill, isAdmin = false }: BillDocumentsProps) {
  const { t } = useTranslation('en16931');
  const language = useLanguage();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const download = useDownload();
  const take = (document: DocumentName): void => {
    setAnchor(null);
    setIsBusy(true);
    void download((options) =>
      (isAdmin ? en16931Api.adminBillDocument : en16931Api.billDocument)(
        { billId: bill.id, document, language },
        options,
      ),
    ).then(() => setIsBusy(false));
  };
  if (bill.state === 'void') return null;
  return (
    <>
      <Button
        variant="outlined"
        startIcon={<DescriptionOutlined />}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        loading={isBusy}
        loadingPosition="start"
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        {t('en16931.download')}
      </Button>
      {anchor && (
        <Menu open anchorEl={anchor} onClose={() => setAnchor(null)}>
          {/* used as: 'en16931.name_*' */}
          {documentNames.map((name) => (
            <MenuItem key={name} onClick={() => take(name)}>
              {t(`en16931.name_${name}`)}
            </MenuItem>
          ))}
        </Menu>
      )}
    </>
  );
}
