// A dialog that moves money back: input, reason, exact preview, and one button that names the action.
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { useRequired } from '#platform/web/form/use-required.ts';
import { TextBox } from '#platform/web/form/TextBox.tsx';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { ActionDialog } from '#platform/web/ui/ActionDialog.tsx';

export type PreviewedDialogProps = {
  readonly title: string;
  /** Undefined if no reason is needed. */
  readonly reason: string | undefined;
  readonly onReason: (reason: string) => void;
  readonly problem: Error | null;
  readonly isBusy: boolean;
  readonly isReady: boolean;
  readonly confirmLabel: string;
  readonly tone?: 'primary' | 'error';
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  /** The input, shown above the reason. */
  readonly ask?: ReactNode;
  /** The outcome, shown below the reason. */
  readonly children: ReactNode;
};

export function PreviewedDialog({
  title,
  reason,
  onReason,
  problem,
  isBusy,
  isReady,
  confirmLabel,
  tone = 'primary',
  onConfirm,
  onClose,
  ask,
  children,
}: PreviewedDialogProps) {
  const { t } = useTranslation('credits');
  const required = useRequired(reason === undefined || reason.trim() !== '');
  return (
    <ActionDialog
      width="md"
      title={title}
      confirm={confirmLabel}
      isBusy={isBusy}
      color={tone}
      disabled={!isReady}
      onConfirm={() => required.check() && onConfirm()}
      problem={problem?.message}
      beginsWithField
      onClose={onClose}
    >
      {ask}
      {reason !== undefined && (
        <TextBox
          name="reason"
          label={t('credits.reason')}
          help={t('credits.reason_help')}
          value={reason}
          problem={required.problem}
          inputRef={required.input}
          onChange={onReason}
          rows={2}
          required
        />
      )}
      <Typography variant="h3" component="h3">
        {t('credits.preview')}
      </Typography>
      {children}
    </ActionDialog>
  );
}
