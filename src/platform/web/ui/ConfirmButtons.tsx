// The buttons of a dialog: cancel and the action.
import Button, { type ButtonProps } from '@mui/material/Button';
import { useTranslation } from '../i18n/i18n.ts';

/** While `isBusy`, both are disabled. */
export function ConfirmButtons({
  confirm,
  isBusy = false,
  color = 'primary',
  disabled = false,
  onConfirm,
  onClose,
}: Pick<ButtonProps, 'color' | 'disabled'> & {
  readonly confirm: string;
  readonly isBusy?: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation('platform');
  return (
    <>
      <Button onClick={onClose} disabled={isBusy}>
        {t('ui.cancel')}
      </Button>
      <Button variant="contained" color={color} loading={isBusy} disabled={disabled} onClick={onConfirm}>
        {confirm}
      </Button>
    </>
  );
}
