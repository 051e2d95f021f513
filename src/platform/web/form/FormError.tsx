// Why a form was not sent, or that it waits, above its fields; takes the focus so that screen readers read it. Drawn like MUI's
// `Alert`, without loading that component on the public pages.
import ErrorOutlineOutlined from '~icons/ic/outline-error-outline';
import InfoOutlined from '~icons/ic/outline-info';
import Box from '@mui/material/Box';
import { useEffect, useRef } from 'react';

/** `sentence` is undefined when nothing is wrong. */
export function FormError({
  sentence,
  isNotice = false,
}: {
  sentence: string | undefined;
  isNotice?: boolean;
}) {
  const tone = isNotice ? 'info' : 'error';
  const Icon = isNotice ? InfoOutlined : ErrorOutlineOutlined;
  const alert = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (sentence !== undefined) alert.current?.focus();
  }, [sentence]);
  if (sentence === undefined) return null;
  return (
    <Box
      ref={alert}
      role={isNotice ? 'status' : 'alert'}
      tabIndex={-1}
      sx={(theme) => ({
        display: 'flex',
        alignItems: 'flex-start',
        padding: '6px 16px',
        marginBottom: 1,
        borderRadius: '5px',
        typography: 'body2',
        bgcolor: `${tone}.soft`,
        color: `${tone}.softText`,
        border: `1px solid color-mix(in srgb, ${theme.vars.palette[tone].main} 35%, transparent)`,
      })}
    >
      <Box sx={{ display: 'flex', marginRight: '12px', padding: '7px 0', opacity: 0.9 }}>
        <Icon aria-hidden />
      </Box>
      <Box sx={{ padding: '8px 0', minWidth: 0, overflow: 'auto' }}>{sentence}</Box>
    </Box>
  );
}
