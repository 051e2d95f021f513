// The reason why a form was not submitted, above its fields; takes the focus so that screen readers announce
// it. Looks like MUI's `Alert`, without loading that component on the public pages.
import ErrorOutlineOutlined from '~icons/ic/outline-error-outline';
import Box from '@mui/material/Box';
import { useEffect, useRef } from 'react';

/** `sentence` is undefined when there is no error. */
export function FormError({ sentence }: { sentence: string | undefined }) {
  const alert = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (sentence !== undefined) alert.current?.focus();
  }, [sentence]);
  if (sentence === undefined) return null;
  return (
    <Box
      ref={alert}
      role="alert"
      tabIndex={-1}
      sx={(theme) => ({
        display: 'flex',
        alignItems: 'flex-start',
        padding: '6px 16px',
        marginBottom: 1,
        borderRadius: '5px',
        typography: 'body2',
        bgcolor: 'error.soft',
        color: 'error.softText',
        border: `1px solid color-mix(in srgb, ${theme.vars.palette.error.main} 35%, transparent)`,
      })}
    >
      <Box sx={{ display: 'flex', marginRight: '12px', padding: '7px 0', opacity: 0.9 }}>
        <ErrorOutlineOutlined aria-hidden />
      </Box>
      <Box sx={{ padding: '8px 0', minWidth: 0, overflow: 'auto' }}>{sentence}</Box>
    </Box>
  );
}
