// Starts a test sign-in at a provider, which opens no session; its result is shown where it was started.
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import type { Id } from '#kernel/ids.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { federationApi } from './api.ts';

export function TestProvider({ providerId }: { providerId: Id<'idp'> }) {
  const { t } = useTranslation('federation');
  const test = useCall(federationApi.testProvider, {
    onSuccess: ({ url }) => location.assign(url),
    onError: toast.failure,
  });
  return (
    <Box sx={{ marginBottom: 2 }}>
      <Button variant="outlined" loading={test.isPending} onClick={() => test.mutate({ providerId })}>
        {t('federation.test')}
      </Button>
      <Typography variant="caption" component="p" color="textSecondary" sx={{ marginTop: 0.5 }}>
        {t('federation.test_hint')}
      </Typography>
    </Box>
  );
}
