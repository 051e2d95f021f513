// After the provider's page: the card counts when the provider reports it, not when its owner comes back.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useParam } from '#platform/web/routing/use-param.ts';

export function CardReturn() {
  const { t } = useTranslation('collection');
  const [back, setBack] = useParam('card');
  const [cancelled, setCancelled] = useParam('cardCancelled');
  if (back === undefined && cancelled === undefined) return null;
  return (
    <Box sx={{ marginTop: 2 }} data-screen-only>
      <Alert
        severity="info"
        role="status"
        onClose={() => (back === undefined ? setCancelled : setBack)(undefined, { replace: true })}
      >
        {t(back === undefined ? 'collection.cancelled' : 'collection.returned')}
      </Alert>
    </Box>
  );
}
