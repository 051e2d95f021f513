// The buttons of a dialog: cancel and the action.
import Button, { type ButtonProps } from '@mui/material/Button';
import { useDismissLabel } from './dismiss-label.ts';

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
  const dismiss = useDismissLabel(confirm);
  return (
    <>
      <Button onClick={onClose} disabled={isBusy}>
        {dismiss}
      </Button>
      <Button variant="contained" color={color} loading={isBusy} disabled={disabled} onClick={onConfirm}>
        {confirm}
      </Button>
    </>
  );
}
