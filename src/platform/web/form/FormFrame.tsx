// The layout of every form: its error at the top, its fields below one another.
import Box from '@mui/material/Box';
import type { FormEvent, ReactNode } from 'react';
import { FormError } from './FormError.tsx';

export type FormFrameProps = {
  readonly error: string | undefined;
  readonly onSubmit: (event: FormEvent) => void;
  /** For buttons outside of the form. */
  readonly id?: string | undefined;
  /** Names the form for screen readers, when no heading names it. */
  readonly label?: string | undefined;
  readonly children: ReactNode;
};

export function FormFrame({ error, onSubmit, id, label, children }: FormFrameProps) {
  return (
    <Box
      component="form"
      id={id}
      noValidate
      aria-label={label}
      onSubmit={onSubmit}
      sx={{ display: 'flex', flexDirection: 'column', gap: 1.5 }}
    >
      <FormError sentence={error} />
      {children}
    </Box>
  );
}
