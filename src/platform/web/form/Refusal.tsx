// Why a form was not sent, above its fields; takes the focus, so that it is read out.
import Alert from '@mui/material/Alert';
import { useEffect, useRef } from 'react';

/** `sentence` undefined: nothing is wrong. */
export function Refusal({ sentence }: { sentence: string | undefined }) {
  const alert = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (sentence !== undefined) alert.current?.focus();
  }, [sentence]);
  return sentence === undefined ? null : <Alert ref={alert} severity="error" tabIndex={-1} role="alert" sx={{ marginBottom: 1 }}>{sentence}</Alert>;
}
