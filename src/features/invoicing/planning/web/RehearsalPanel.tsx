// Price rehearsal: the effect that an unpublished price would have had on every customer of the service.
import PlayCircleOutlined from '~icons/ic/outline-play-circle';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useEffect, useState } from 'react';
import type { Pricing } from '#features/selling/catalogue/contract.ts';
import { maxMonths } from '../contract.ts';
import type { Id } from '#kernel/ids.ts';
import { addMonths } from '#kernel/time.ts';
import { useAuthStore } from '#platform/web/session/auth-store.ts';
import { useBrand } from '#platform/web/shell/brand.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { onLive } from '#platform/web/live/live.ts';
import { monthNow } from '#platform/web/time/months.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { ErrorState } from '#platform/web/ui/ErrorState.tsx';
import { MonthPicker } from '#platform/web/ui/MonthPicker.tsx';
import { ProgressBar } from '#platform/web/ui/ProgressBar.tsx';
import { planningApi } from './api.ts';
import { RehearsalResult } from './RehearsalResult.tsx';

export type RehearsalPanelProps = { readonly serviceId: string; readonly pricing: Pricing };

const usualMonths = 3;

export function RehearsalPanel({ serviceId, pricing }: RehearsalPanelProps) {
  const { t } = useTranslation('planning');
  const latest = addMonths(monthNow(useBrand((brand) => brand.timeZone)), -1);
  const [to, setTo] = useState(latest);
  const [from, setFrom] = useState(addMonths(latest, 1 - usualMonths));
  const simulate = useCall(planningApi.simulate);
  const input = { serviceId: serviceId as Id<'svc'>, pricing, from, to };
  const isOld = simulate.data !== undefined && JSON.stringify(simulate.variables) !== JSON.stringify(input);
  return (
    <Stack
      component="section"
      sx={{ gap: 2, minWidth: 0, padding: 2, bgcolor: 'sunken', borderRadius: '5px' }}
    >
      <Box>
        <Typography variant="subtitle2" component="h4">
          {t('planning.rehearsal')}
        </Typography>
        <Typography variant="body2" color="textSecondary">
          {t('planning.rehearsal_lead')}
        </Typography>
      </Box>
      <Stack direction="row" sx={{ gap: 1, alignItems: 'center', flexWrap: 'wrap' }}>
        <Named label={t('planning.from')}>
          <MonthPicker value={from} min={addMonths(to, 1 - maxMonths)} max={to} onChange={setFrom} />
        </Named>
        <Named label={t('planning.to')}>
          <MonthPicker
            value={to}
            min={from}
            max={latest < addMonths(from, maxMonths - 1) ? latest : addMonths(from, maxMonths - 1)}
            onChange={setTo}
          />
        </Named>
        <Button
          variant="outlined"
          startIcon={<PlayCircleOutlined />}
          loading={simulate.isPending}
          loadingPosition="start"
          onClick={() => simulate.mutate(input)}
        >
          {t('planning.rehearse')}
        </Button>
      </Stack>
      {simulate.isPending && <Progress serviceId={serviceId} />}
      {simulate.error && <ErrorState error={simulate.error} onRetry={() => simulate.mutate(input)} />}
      {simulate.data && !simulate.isPending && (
        <>
          {isOld && <Alert severity="info">{t('planning.rehearsal_old')}</Alert>}
          <Box sx={{ opacity: isOld ? 0.6 : 1 }}>
            <RehearsalResult rehearsal={simulate.data} input={simulate.variables} />
          </Box>
        </>
      )}
    </Stack>
  );
}

function Named({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <Stack role="group" aria-label={label} direction="row" sx={{ gap: 1, alignItems: 'center' }}>
      <Typography variant="body2" aria-hidden>
        {label}
      </Typography>
      {children}
    </Stack>
  );
}

/** The server's progress, which is only sent if there are hundreds of subscriptions. */
function Progress({ serviceId }: { serviceId: string }) {
  const { t } = useTranslation('planning');
  const userId = useAuthStore((state) => state.user?.id);
  const [ratio, setRatio] = useState<number>();
  useEffect(
    () =>
      onLive('billing', (message) => {
        if (
          message?.kind !== 'rehearsal' ||
          message['serviceId'] !== serviceId ||
          message['userId'] !== userId
        )
          return;
        const { done, total } = message as { done?: unknown; total?: unknown };
        if (typeof done === 'number' && typeof total === 'number' && total > 0) setRatio(done / total);
      }),
    [serviceId, userId],
  );
  return <ProgressBar label={t('planning.rehearsing')} ratio={ratio} />;
}
