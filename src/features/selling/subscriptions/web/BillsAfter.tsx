// The base fees on the next two bills after an action, shown before it is confirmed.
import Alert from '@mui/material/Alert';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import type { UseQueryResult } from '@tanstack/react-query';
import type { FeePreview } from '../contract.ts';
import { ApiError } from '#platform/web/api/api-error.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Lines } from '#platform/web/ui/QueryState.tsx';
import { FeeMonth } from './FeeMonth.tsx';

/** Shows instead why the action would be refused, unless a field of the dialog shows it. */
export function BillsAfter({ preview }: { preview: UseQueryResult<FeePreview> }) {
  const { t } = useTranslation('subscriptions');
  if (preview.error instanceof ApiError && preview.error.errors.length > 0) return null;
  if (preview.error) return <Alert severity="error">{preview.error.message}</Alert>;
  if (!preview.data) return <Lines count={9} />;
  const isStale = preview.isPlaceholderData;
  return (
    <Stack
      component="section"
      aria-label={t('subscriptions.preview')}
      aria-busy={isStale}
      sx={{ gap: 2, opacity: isStale ? 0.6 : 1 }}
    >
      <FeeMonth fees={preview.data.thisBill} />
      <FeeMonth fees={preview.data.nextBill} />
      <Typography variant="caption" color="textSecondary">
        {t('subscriptions.preview_besides')}
      </Typography>
    </Stack>
  );
}
