// The state of every quota, worst first, optionally filtered by state.
import AllInclusiveOutlined from '~icons/ic/outline-all-inclusive';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import Typography from '@mui/material/Typography';
import { Suspense, useState, type ReactNode } from 'react';
import { quotaStatuses, type QuotaList } from '../contract.ts';
import { lazyComponent } from '#platform/web/loading/lazy-component.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useParam } from '#platform/web/routing/use-param.ts';
import { NoWrap } from '#platform/web/ui/NoWrap.tsx';
import { QuotaMeter, type Quota } from './QuotaMeter.tsx';
import { useMayAsk } from './use-may-ask.ts';

/** The form is only loaded when it is opened. */
const ReservationsDialog = lazyComponent(() =>
  import('./ReservationsDialog.tsx').then((module) => module.ReservationsDialog),
).Component;
const RaiseDialog = lazyComponent(() =>
  import('./RaiseDialog.tsx').then((module) => module.RaiseDialog),
).Component;

/** Worst first, like the list. */
const choices = quotaStatuses.toReversed();

export type QuotaStatesProps = {
  readonly quotas: QuotaList;
  /** May make the name of a quota's service a link to its usage. */
  readonly nameOf?: (quota: Quota) => ReactNode;
  /** Called after a higher limit was requested or the request was withdrawn. */
  readonly onChange?: () => void;
};

export function QuotaStates({ quotas, nameOf, onChange }: QuotaStatesProps) {
  const { t } = useTranslation('quotas');
  const mayAsk = useMayAsk();
  const [asking, setAsking] = useState<Quota['subscriptionId']>();
  const [looking, setLooking] = useState<Quota['subscriptionId']>();
  const lookedAt = quotas.items.find((quota) => quota.subscriptionId === looking);
  const raising = quotas.items.find((quota) => quota.subscriptionId === asking);
  const [wanted, setWanted] = useParam('quota');
  const chosen = choices.find((status) => status === wanted);
  const shown = quotas.items.filter((quota) => chosen === undefined || quota.status === chosen);
  if (quotas.items.length === 0) {
    return (
      <Section title={t('quotas.title')}>
        <EmptyState
          compact
          icon={<AllInclusiveOutlined />}
          title={t('quotas.unlimited')}
          hint={t('quotas.unlimited_hint')}
        />
      </Section>
    );
  }
  // used as: 'quotas.status_*'
  const label = (status: Quota['status']) =>
    `${t(`quotas.status_${status}`)} ${quotas.items.filter((quota) => quota.status === status).length}`;
  return (
    <Section
      title={t('quotas.title')}
      lead={t('quotas.lead', { warning: quotas.warningPercent, critical: quotas.criticalPercent })}
    >
      <ToggleButtonGroup
        exclusive
        size="small"
        value={chosen ?? 'all'}
        aria-label={t('quotas.filter')}
        onChange={(_, next: string | null) =>
          next !== null && setWanted(next === 'all' ? undefined : next, { replace: true })
        }
        data-screen-only
        sx={{ flexWrap: 'wrap', marginBottom: 2 }}
      >
        <ToggleButton value="all">
          {t('ui.all')} {quotas.items.length}
        </ToggleButton>
        {choices.map((status) => (
          <ToggleButton key={status} value={status}>
            {label(status)}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
      {shown.length === 0 ? (
        <Typography variant="body2" color="textSecondary" role="status">
          {t('quotas.none_in_state')}
        </Typography>
      ) : (
        <Stack
          component="ul"
          aria-label={t('quotas.title')}
          sx={{ listStyle: 'none', margin: 0, padding: 0, gap: 2 }}
        >
          {shown.map((quota) => (
            <Item
              key={quota.subscriptionId}
              quota={quota}
              name={nameOf?.(quota) ?? quota.serviceName}
              onLook={() => setLooking(quota.subscriptionId)}
              {...(mayAsk && { onAsk: () => setAsking(quota.subscriptionId) })}
            />
          ))}
        </Stack>
      )}
      {lookedAt && (
        <Suspense fallback={null}>
          <ReservationsDialog
            quota={lookedAt}
            mayRelease={mayAsk}
            onClose={() => setLooking(undefined)}
            onChange={onChange}
          />
        </Suspense>
      )}
      {raising && (
        <Suspense fallback={null}>
          <RaiseDialog quota={raising} onClose={() => setAsking(undefined)} onChange={onChange} />
        </Suspense>
      )}
    </Section>
  );
}

function Item({
  quota,
  name,
  onLook,
  onAsk,
}: {
  quota: Quota;
  name: ReactNode;
  onLook: () => void;
  onAsk?: () => void;
}) {
  const { t } = useTranslation('quotas');
  const format = useFormat();
  const { raise, unit, reserved } = quota;
  const params = { service: quota.serviceName, limit: format.quantity(raise?.limit ?? quota.limit, unit) };
  // used as: 'quotas.type_*'
  const facts = format.sentences(
    t(`quotas.type_${quota.type}`),
    t('quotas.resets', { date: format.date(quota.resetsAt) }),
  );
  return (
    <Box component="li" sx={{ display: 'grid', gap: '4px' }}>
      <Stack
        direction="row"
        sx={{ gap: 1, alignItems: 'center', justifyContent: 'space-between', flexWrap: 'wrap' }}
      >
        <Typography
          variant="body2"
          component="div"
          sx={{ overflowWrap: 'anywhere', fontWeight: 700, minWidth: 0 }}
        >
          {name}
        </Typography>
        {onAsk && (
          <Button
            aria-haspopup="dialog"
            size="small"
            data-screen-only
            onClick={onAsk}
            aria-label={t(raise ? 'quotas.raise_open_of' : 'quotas.raise_of', params)}
            sx={{ marginInline: '-8px' }}
          >
            {t(raise ? 'quotas.raise_waiting' : 'quotas.raise', params)}
          </Button>
        )}
      </Stack>
      <QuotaMeter quota={quota} />
      <Typography variant="caption" component="p" color="textSecondary">
        <NoWrap text={facts} />
      </Typography>
      {reserved !== '0' && (
        <Button
          aria-haspopup="dialog"
          size="small"
          onClick={onLook}
          aria-label={t('quotas.reserved_of', {
            amount: format.quantity(reserved, unit),
            service: quota.serviceName,
          })}
          sx={{ justifySelf: 'start', marginInline: '-8px' }}
        >
          {t('quotas.reserved', { amount: format.quantity(reserved, unit) })}
        </Button>
      )}
    </Box>
  );
}
