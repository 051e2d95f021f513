// A dialog that moves money back: input, reason, exact preview, and one button that names the action.
import Alert from '@mui/material/Alert';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { useRequired } from '#platform/web/form/use-required.ts';
import { TextBox } from '#platform/web/form/TextBox.tsx';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { ConfirmButtons } from '#platform/web/ui/ConfirmButtons.tsx';
import { Modal } from '#platform/web/ui/Modal.tsx';

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
    <Modal
      open
      width="md"
      title={title}
      onClose={isBusy ? undefined : onClose}
      actions={
        <ConfirmButtons
          confirm={confirmLabel}
          isBusy={isBusy}
          color={tone}
          disabled={!isReady}
          onConfirm={() => required.check() && onConfirm()}
          onClose={onClose}
        />
      }
    >
      <Stack sx={{ gap: 1.5, paddingTop: '6px' }}>
        {problem && <Alert severity="error">{problem.message}</Alert>}
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
      </Stack>
    </Modal>
  );
}
