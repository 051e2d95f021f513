// The button that adds something to a page or a list by opening a dialog or a panel.
import AddOutlined from '~icons/ic/outline-add';
import Button, { type ButtonProps } from '@mui/material/Button';

/** 'contained' by default, as a page's main action. */
export function AddButton({ variant = 'contained', ...button }: ButtonProps) {
  return <Button aria-haspopup="dialog" startIcon={<AddOutlined />} variant={variant} {...button} />;
}
