// Dialogs to book a row as proposed, ignore it, or undo it; each repeats the amount.
import Typography from '@mui/material/Typography';
import type { BankRow } from '../contract.ts';
import { ReasonDialog } from '#platform/web/form/ReasonDialog.tsx';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { ConfirmDialog } from '#platform/web/ui/ConfirmDialog.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { bankingApi, bankingKey } from './api.ts';
import { useTargetName } from './target-name.ts';

const invalidates = [bankingKey()];
type RowProps = { readonly row: BankRow; readonly onClose: () => void };

export function AcceptDialog({ row, onClose }: RowProps) {
  const { t } = useTranslation('banking');
  const format = useFormat();
  const nameOf = useTargetName();
  const amount = format.money(row.amount);
  const { target } = row;
  const book = useCall(bankingApi.applyRow, {
    invalidates,
    onSuccess: () => toast.success(t('banking.booked', { amount })),
  });
  if (!target) return null;
  return (
    <ConfirmDialog
      open
      title={t('banking.accept_ask', { amount })}
      consequences={target.kind === 'refund' ? [] : [t('banking.book_all_pays'), t('banking.book_all_tells')]}
      confirmLabel={t('banking.book_amount', { amount })}
      onConfirm={() =>
        book.mutateAsync({ rowId: row.id, parts: [{ kind: target.kind, id: target.id, amount: row.amount }] })
      }
      onClose={onClose}
    >
      {t('banking.accept_for', { organization: target.organization, what: nameOf(target) })}
      <br />
      {row.reason !== null && t(`banking.reason_${row.reason}`)}
    </ConfirmDialog>
  );
}

/** Ignores a row or undoes its booking, with the reason. */
export function SetAsideDialog({ row, action, onClose }: RowProps & { readonly action: 'ignore' | 'undo' }) {
  const { t } = useTranslation('banking');
  const format = useFormat();
  const amount = format.money(row.amount);
  const ignore = useCall(bankingApi.ignoreRow, {
    invalidates,
    onSuccess: () => toast.success(t('banking.ignored')),
  });
  const undo = useCall(bankingApi.undoRow, {
    invalidates,
    onSuccess: () => toast.success(t('banking.undone', { amount })),
  });
  return (
    <ReasonDialog
      role="alertdialog"
      title={t(action === 'ignore' ? 'banking.ignore_ask' : 'banking.undo_ask', { amount })}
      label={t(action === 'ignore' ? 'banking.ignore' : 'banking.undo')}
      confirm={t(action === 'ignore' ? 'banking.ignore_confirm' : 'banking.undo')}
      color={action === 'undo' ? 'error' : 'primary'}
      lead={action === 'undo' && <Typography variant="body2">{t('banking.undo_how')}</Typography>}
      field={{ label: t('banking.reason'), max: 200 }}
      onReason={(reason) => (action === 'ignore' ? ignore : undo).mutateAsync({ rowId: row.id, reason })}
      onClose={onClose}
    />
  );
}
