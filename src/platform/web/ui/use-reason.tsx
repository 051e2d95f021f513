// The reason that a confirmation asks for.
import TextField from '@mui/material/TextField';
import { useState, type ReactNode } from 'react';

const longest = 300;

/** `least`: how many letters it has at least; `missing` says so of a shorter one. */
export function useReason({
  label,
  help,
  least,
  missing,
}: {
  readonly label: string;
  readonly help: string;
  readonly least: number;
  readonly missing: string;
}): {
  /** To be put into a {@link ConfirmDialog}. */
  readonly field: ReactNode;
  /** What was typed, to be asked for when it is confirmed. @throws Error that says what is missing */
  readonly read: () => string;
} {
  const [reason, setReason] = useState('');
  const [isMissing, setIsMissing] = useState(false);
  return {
    field: (
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
    ),
    read: () => {
      if (reason.trim().length >= least) return reason;
      setIsMissing(true);
      throw new Error(missing);
    },
  };
}
