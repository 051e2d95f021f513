// An icon button with its name as aria-label and tooltip.
import IconButton, { type IconButtonProps } from '@mui/material/IconButton';
import { Hint } from './Hint.tsx';

export function IconAction({
  label,
  ...button
}: { readonly label: string } & Omit<IconButtonProps, 'aria-label'>) {
  return (
    <Hint text={label}>
      <IconButton {...button} aria-label={label} />
    </Hint>
  );
}
