// The button that adds something to a page or a list: it opens a dialog or a panel for it.
import AddOutlined from '~icons/ic/outline-add';
import Button, { type ButtonProps } from '@mui/material/Button';

/** 'contained', as a page's main action, unless it says otherwise. */
export function AddButton({ variant = 'contained', ...button }: ButtonProps) {
  return <Button aria-haspopup="dialog" startIcon={<AddOutlined />} variant={variant} {...button} />;
}
