// Shown when the texts could not be loaded.
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { connectionTextsOf } from '#platform/locales/connection.ts';
import { useLanguage } from '#platform/web/i18n/i18n.ts';
import { ContactLine } from '#platform/web/ui/ContactLine.tsx';

export function TextsMissing() {
  const texts = connectionTextsOf(useLanguage());
  return (
    <Box
      component="main"
      sx={{
        display: 'flex',
        flexDirection: 'column',
        minHeight: '100dvh',
        alignItems: 'center',
        justifyContent: 'center',
        gap: 2,
        padding: 3,
        textAlign: 'center',
      }}
    >
      <Typography component="h1" variant="h2">
        {texts['connection.texts_missing']}
      </Typography>
      <Button variant="contained" onClick={() => location.reload()}>
        {texts['connection.reload']}
      </Button>
      <ContactLine />
    </Box>
  );
}
