// The reason that a confirmation asks for.
import TextField from '@mui/material/TextField';
import { useState } from 'react';

/** In letters. */
export const minReason = 5;
const longest = 300;

/** The field for a {@link ConfirmDialog}, and what was typed there; one that is too short is an error that says `missing`. */
export function useReason({ label, help, missing }: Readonly<Record<'label' | 'help' | 'missing', string>>) {
  const [reason, setReason] = useState('');
  const [isMissing, setIsMissing] = useState(false);
  const field = (
    <TextField
      label={label}
      helperText={help}
      value={reason}
      onChange={(event) => {
        setReason(event.target.value);
        setIsMissing(false);
      }}
      error={isMissing}
      required
      fullWidth
      multiline
      minRows={2}
      slotProps={{ htmlInput: { maxLength: longest } }}
    />
  );
  /** To be asked for when it is confirmed. @throws Error */
  const read = (): string => {
    if (reason.trim().length >= minReason) return reason;
    setIsMissing(true);
    throw new Error(missing);
  };
  return { field, read };
}
