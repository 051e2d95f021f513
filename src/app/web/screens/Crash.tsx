// The router's error screen: its heading and the message or status (R-SHELL-12).
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { asError } from '#kernel/errors.ts';
import { connectionTextsOf } from '#platform/locales/connection.ts';
import { ApiError } from '#platform/web/api/api-error.ts';
import { useDocumentTitle } from '#platform/web/shell/document-title.ts';
import { useLanguage } from '#platform/web/i18n/i18n.ts';
import { ContactLine } from '#platform/web/ui/ContactLine.tsx';

// Fixed by the specification; not translated.
const heading = 'Unexpected Application Error!';

export function Crash({ error }: { error: unknown }) {
  const texts = connectionTextsOf(useLanguage());
  useDocumentTitle(heading);
  return (
    <Box
      component="main"
      sx={{
        display: 'flex',
        flexDirection: 'column',
        minHeight: 360,
        flex: 1,
        alignItems: 'center',
        justifyContent: 'center',
        gap: 2,
        padding: 4,
        textAlign: 'center',
      }}
    >
      <Typography variant="h1">{heading}</Typography>
      <Typography color="textSecondary" sx={{ maxWidth: 640, overflowWrap: 'anywhere' }}>
        {crashDetail(error)}
      </Typography>
      <Button variant="contained" onClick={() => location.reload()}>
        {texts['connection.reload']}
      </Button>
      <ContactLine />
    </Box>
  );
}

/** The message, with the status when there was one. */
export function crashDetail(error: unknown): string {
  if (error instanceof ApiError && error.status > 0) return `${error.status} ${error.message}`;
  return asError(error).message;
}
