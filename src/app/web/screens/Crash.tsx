// The router's error screen: its heading and the message or status (R-SHELL-12).
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { isRouteErrorResponse, useRouteError } from 'react-router';
import { connectionTexts } from '#platform/locales/connection.ts';
import { useLanguage } from '#platform/web/i18n.ts';
import { useDocumentTitle } from '#platform/web/ui/Page.tsx';

// The router's own words, fixed by the specification; they are not translated.
const heading = 'Unexpected Application Error!';

export function Crash() {
  const error = useRouteError();
  const texts = connectionTexts[useLanguage()];
  useDocumentTitle(heading);
  const detail = isRouteErrorResponse(error) ? `${error.status} ${error.statusText}` : error instanceof Error ? error.message : String(error);
  return (
    <Stack component="main" sx={{ minHeight: 360, alignItems: 'center', justifyContent: 'center', gap: 2, padding: 4, textAlign: 'center' }}>
      <Typography variant="h1">{heading}</Typography>
      <Typography color="textSecondary" sx={{ maxWidth: 640, overflowWrap: 'anywhere' }}>{detail}</Typography>
      <Button variant="contained" onClick={() => location.reload()}>{texts['connection.reload']}</Button>
    </Stack>
  );
}
