// A button that shows only an icon: its name is said to screen readers and shown to everybody else.
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
