// What every form is: its fields below one another, and above them why it was not sent.
import Box from '@mui/material/Box';
import type { FormEvent, ReactNode } from 'react';
import { FormError } from './FormError.tsx';

export type FormFrameProps = {
  readonly refusal: string | undefined;
  readonly onSubmit: (event: FormEvent) => void;
  /** For buttons outside of the form. */
  readonly id?: string | undefined;
  /** Names the form for screen readers, when no heading does. */
  readonly label?: string | undefined;
  readonly children: ReactNode;
};

export function FormFrame({ refusal, onSubmit, id, label, children }: FormFrameProps) {
  return (
    <Box
      component="form"
      id={id}
      noValidate
      aria-label={label}
      onSubmit={onSubmit}
      sx={{ display: 'flex', flexDirection: 'column', gap: 1.5 }}
    >
      <FormError sentence={refusal} />
      {children}
    </Box>
  );
}
