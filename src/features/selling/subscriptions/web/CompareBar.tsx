// Shown at the bottom while services are being chosen for comparison: the chosen ones, and a button to see
// them side by side.
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Chip from '@mui/material/Chip';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQueries } from '@tanstack/react-query';
import { catalogueQueries } from '#features/selling/catalogue/web/parts.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { maxCompared, type Comparison } from './overview-state.ts';

/** The compared services in their order; services that are not on sale are left out. */
export function useCompared({ chosen }: Comparison) {
  return useQueries({
    queries: chosen.map((serviceId) => catalogueQueries.getService({ serviceId })),
    combine: (found) => ({
      services: found.flatMap(({ data }) => data ?? []),
      isPending: found.some(({ isPending }) => isPending),
    }),
  });
}

export function CompareBar({ comparison }: { comparison: Comparison }) {
  const { t } = useTranslation('subscriptions');
  const format = useFormat();
  const { services } = useCompared(comparison);
  return (
    <Card
      component="section"
      aria-label={t('subscriptions.compare')}
      sx={{
        position: 'sticky',
        bottom: { xs: 8, sm: 16 },
        zIndex: 'appBar',
        padding: { xs: '12px', sm: '12px 20px' },
        boxShadow: '0 4px 16px rgba(16,24,40,.18)',
        borderColor: 'primary.main',
      }}
    >
      <Stack direction={{ xs: 'column', sm: 'row' }} sx={{ gap: 1.5, alignItems: { sm: 'center' } }}>
        <Typography variant="body2" role="status">
          {format.sentences(
            t('subscriptions.compare_count', { count: comparison.chosen.length, most: maxCompared }),
            comparison.chosen.length < 2 && t('subscriptions.compare_more'),
          )}
        </Typography>
        <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap', flex: 1, minWidth: 0 }}>
          {services.map((service) => (
            <Chip
              key={service.id}
              label={service.name}
              onDelete={() => comparison.toggle(service.id)}
              sx={{ maxWidth: 220 }}
            />
          ))}
        </Stack>
        <Stack direction="row" sx={{ gap: 1, justifyContent: 'flex-end' }}>
          <Button onClick={comparison.end}>{t('subscriptions.compare_end')}</Button>
          <Button
            aria-haspopup="dialog"
            variant="contained"
            disabled={comparison.chosen.length < 2}
            onClick={comparison.open}
          >
            {t('subscriptions.compare_show')}
          </Button>
        </Stack>
      </Stack>
    </Card>
  );
}
