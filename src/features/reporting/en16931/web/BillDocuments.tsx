// A bill or a credit note as a machine-readable file for the buyer: UBL, or Factur-X in its PDF.
import DescriptionOutlined from '~icons/ic/outline-description';
import Button from '@mui/material/Button';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { useState } from 'react';
import type { Bill } from '#features/invoicing/billing/contract.ts';
import type { CreditNote } from '#features/invoicing/credits/contract.ts';
import type { Language } from '#kernel/language.ts';
import { useLanguage, useTranslation } from '#platform/web/i18n/i18n.ts';
import { useDownload } from '#platform/web/api/use-download.ts';
import { IconAction } from '#platform/web/ui/IconAction.tsx';
import { documentNames, type DocumentName } from '../contract.ts';
import { en16931Api } from './api.ts';

type ForReader = {
  /** Whether it can be of any organization, for an Admin. */
  readonly isAdmin?: boolean;
};
type Call = Parameters<ReturnType<typeof useDownload>>[0];

/** Renders nothing for a void bill: the bill that replaces it has the file. */
export function BillDocuments({
  bill,
  isAdmin = false,
}: ForReader & { readonly bill: Pick<Bill, 'id' | 'state'> }) {
  const { t } = useTranslation('en16931');
  const { menu, open, isOpen, isBusy } = useDocumentMenu(
    (document, language) => (options) =>
      (isAdmin ? en16931Api.adminBillDocument : en16931Api.billDocument)(
        { billId: bill.id, document, language },
        options,
      ),
  );
  if (bill.state === 'void') return null;
  return (
    <>
      <Button
        variant="outlined"
        startIcon={<DescriptionOutlined />}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        loading={isBusy}
        loadingPosition="start"
        onClick={(event) => open(event.currentTarget)}
      >
        {t('en16931.download')}
      </Button>
      {menu}
    </>
  );
}

export function CreditNoteDocuments({
  note,
  isAdmin = false,
}: ForReader & { readonly note: Pick<CreditNote, 'id' | 'number'> }) {
  const { t } = useTranslation('en16931');
  const { menu, open, isOpen, isBusy } = useDocumentMenu(
    (document, language) => (options) =>
      (isAdmin ? en16931Api.adminCreditNoteDocument : en16931Api.creditNoteDocument)(
        { creditNoteId: note.id, document, language },
        options,
      ),
  );
  return (
    <>
      <IconAction
        size="small"
        label={t('en16931.download_note', { number: note.number })}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        disabled={isBusy}
        onClick={(event) => open(event.currentTarget)}
      >
        <DescriptionOutlined fontSize="small" />
      </IconAction>
      {menu}
    </>
  );
}

/** The menu of available formats; `callOf` fetches one in the reader's language. */
function useDocumentMenu(callOf: (document: DocumentName, language: Language) => Call) {
  const { t } = useTranslation('en16931');
  const language = useLanguage();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const download = useDownload();
  const take = (document: DocumentName): void => {
    setAnchor(null);
    setIsBusy(true);
    void download(callOf(document, language)).then(() => setIsBusy(false));
  };
  const menu = anchor && (
    <Menu open anchorEl={anchor} onClose={() => setAnchor(null)}>
      {/* used as: 'en16931.name_*' */}
      {documentNames.map((name) => (
        <MenuItem key={name} onClick={() => take(name)}>
          {t(`en16931.name_${name}`)}
        </MenuItem>
      ))}
    </Menu>
  );
  return { menu, open: setAnchor, isOpen: anchor !== null, isBusy };
}
