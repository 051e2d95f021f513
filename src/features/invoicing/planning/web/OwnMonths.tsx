// The organization's own monthly quantities to choose from, so that an estimate can start with real usage.
import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import type { Id } from '#kernel/ids.ts';
import { addMonths } from '#kernel/time.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { monthNow } from '#platform/web/time/months.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { planningQueries } from './api.ts';

/** As many as fit in a line or two, newest first. */
const maxShown = 4;

/** Renders nothing until months are loaded, since the estimate works without them. */
export function OwnMonths({
  serviceId,
  onPick,
}: {
  serviceId: Id<'svc'>;
  onPick: (quantity: string) => void;
}) {
  const { t } = useTranslation('planning');
  const format = useFormat();
  const id = useId();
  const { data } = useQuery(planningQueries.ownUsage({ serviceId }));
  const [last, ...earlier] = data?.months ?? [];
  if (!data || !last) return null;
  const lastMonth = addMonths(monthNow(format.timeZone), -1);
  const used = format.quantity(last.quantity, data.unit);
  const shown = earlier.slice(0, maxShown - 1);
  return (
    <Box role="group" aria-labelledby={id}>
      <Typography id={id} variant="caption" color="textSecondary" component="p" sx={{ marginBottom: '4px' }}>
        {data.from === 'same'
          ? t('planning.own_same')
          : t('planning.own_family', { service: format.list(last.serviceNames) })}
      </Typography>
      <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
        <Chip
          variant="outlined"
          color="primary"
          label={
            last.month === lastMonth
              ? t('planning.own_last_month', { quantity: used })
              : t('planning.own_last', { month: format.month(last.month), quantity: used })
          }
          onClick={() => onPick(last.quantity)}
        />
        {shown.map(({ month, quantity }) => (
          <Chip
            key={month}
            variant="outlined"
            label={t('planning.own_month', {
              month: format.monthShort(month),
              quantity: format.quantity(quantity, data.unit),
            })}
            onClick={() => onPick(quantity)}
          />
        ))}
      </Stack>
    </Box>
  );
}
