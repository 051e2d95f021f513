// The reason that a confirmation requires.
import TextField, { type TextFieldProps } from '@mui/material/TextField';
import { useEffect, useRef, useState } from 'react';

/** In characters. */
export const minReason = 5;
const longest = 300;

/**
 * The field for a {@link ConfirmDialog}, and its value; a reason that is too short throws an error with the
 * message `missing`.
 */
export function useReason({ label, help, missing }: Readonly<Record<'label' | 'help' | 'missing', string>>) {
  const [reason, setReason] = useState('');
  const [isMissing, setIsMissing] = useState(false);
  const field = (
    <FirstField
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
  /** Called on confirmation. @throws Error when the reason is too short */
  const read = (): string => {
    if (reason.trim().length >= minReason) return reason;
    setIsMissing(true);
    throw new Error(missing);
  };
  return { field, read };
}

/** Has the focus when its dialog opens, although what stands below it would take it: it is filled first. */
function FirstField(props: TextFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  return <TextField {...props} inputRef={input} />;
}
