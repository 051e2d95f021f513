// The meters that will be created together with the service, shown before it is saved.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useWatch } from 'react-hook-form';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useAggregationWords } from '#features/selling/meters/web/parts.ts';
import { metersToMake, type ServiceFields } from './service-fields.ts';
import type { ServiceForm } from './service-form.ts';

export function PlannedMeters({ form }: { form: ServiceForm }) {
  const { t } = useTranslation('catalogue');
  const { describe } = useAggregationWords();
  const fields = useWatch({ control: form.control }) as ServiceFields;
  const meters = metersToMake(fields);
  if (meters.length === 0) return null;
  return (
    <Alert severity="info" role="region" aria-label={t('catalogue.meters_planned')}>
      {t('catalogue.meters_planned')}
      <Box component="ul" sx={{ margin: '4px 0 0', paddingInlineStart: '18px' }}>
        {meters.map((meter) => (
          <li key={meter.key}>
            {meter.name}{' '}
            <Typography component="code" variant="mono">
              {meter.key}
            </Typography>
            <Typography variant="caption" component="span" color="textSecondary" sx={{ display: 'block' }}>
              {[
                t('catalogue.meter_counts', { eventType: meter.eventType }),
                describe(meter),
                meter.unit,
                ...(meter.dimensions
                  ? [t('catalogue.meter_by', { dimensions: meter.dimensions.join(t('catalogue.between')) })]
                  : []),
              ].join(' · ')}
            </Typography>
          </li>
        ))}
      </Box>
    </Alert>
  );
}
