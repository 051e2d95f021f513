// A spinner with a name for screen readers.
import Box from '@mui/material/Box';
import CircularProgress from '@mui/material/CircularProgress';
import { connectionTextsOf } from '#platform/locales/connection.ts';
import { useLanguage } from '../i18n/i18n.ts';

/** Fills its parent (or the window with `page`) and centers the indicator (R-SHELL-05). */
export function Spinner({ page = false }: { page?: boolean }) {
  const label = connectionTextsOf(useLanguage())['connection.loading'];
  return (
    <Box
      role="status"
      sx={{ display: 'grid', placeItems: 'center', flex: 1, minHeight: page ? '100dvh' : 240 }}
    >
      <CircularProgress aria-label={label} size={36} />
    </Box>
  );
}
