// The subscribed services: fee, used share of the quota (or that there is none), the next reset, and a link
// to each.
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { Link } from 'react-router';
import { decimal, isZero } from '#kernel/decimal.ts';
import type { Subscription } from '#features/selling/subscriptions/contract.ts';
import { isMetered } from '#features/selling/catalogue/rules.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { QuotaBar } from '#platform/web/ui/QuotaBar.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { NoWrap } from '#platform/web/ui/NoWrap.tsx';
import type { UserDashboard } from '../../console/contract.ts';

type Quota = UserDashboard['quotas']['items'][number];
const levels = { Normal: 'normal', Warning: 'warning', Critical: 'critical' } as const;
const tones: Partial<Record<Subscription['state'], 'info' | 'neutral' | 'warning' | 'alarm'>> = {
  scheduled: 'info',
  paused: 'neutral',
  cancelling: 'warning',
  canceled: 'neutral',
  past_due: 'alarm',
  suspended: 'alarm',
  expired: 'neutral',
};
/** Besides managing: the action that a subscription requires. */
const verbs: Partial<Record<Subscription['state'], 'user_dashboard.start' | 'user_dashboard.renew'>> = {
  paused: 'user_dashboard.start',
  cancelling: 'user_dashboard.renew',
  expired: 'user_dashboard.renew',
};

export function UserSubscriptions({ dashboard }: { dashboard: UserDashboard }) {
  const { t } = useTranslation('console');
  const format = useFormat();
  const total = dashboard.subscriptions.total;
  const rows = dashboard.subscriptions.items.map((subscription) => ({
    subscription,
    quota: dashboard.quotas.items.find((one) => one.subscriptionId === subscription.id),
  }));
  return (
    <Section
      title={t('user_dashboard.subscriptions')}
      flush
      actions={
        <Button size="small" component={Link} to="/cloud-service/management">
          {total > rows.length
            ? t('user_dashboard.all_of', { total: format.number(total) })
            : t('user_dashboard.manage_all')}
        </Button>
      }
    >
      <Box
        component="ul"
        aria-label={t('user_dashboard.subscriptions')}
        sx={{ listStyle: 'none', margin: 0, padding: 0 }}
      >
        {rows.map(({ subscription, quota }) => (
          <Row key={subscription.id} subscription={subscription} quota={quota} />
        ))}
      </Box>
    </Section>
  );
}

function Row({ subscription, quota }: { subscription: Subscription; quota: Quota | undefined }) {
  const { t } = useTranslation('console');
  const format = useFormat();
  const { service, state, fee: termFee, nextReset, startedAt } = subscription;
  const tone = tones[state];
  const fee = isZero(decimal(termFee))
    ? t('user_dashboard.by_usage')
    : t(service.billingCycle === 'yearly' ? 'user_dashboard.fee_yearly' : 'user_dashboard.fee', {
        fee: format.unitPrice(termFee, service.pricing.currency),
      });
  const verb = verbs[state];
  return (
    <Box
      component="li"
      sx={{
        display: 'grid',
        gap: '8px 24px',
        alignItems: 'center',
        gridTemplateColumns: { xs: 'minmax(0, 1fr) auto', sm: 'minmax(0, 5fr) minmax(0, 4fr) auto' },
        padding: { xs: '12px 16px', sm: '12px 16px 12px 24px' },
        borderTop: '1px solid',
        borderColor: 'divider',
      }}
    >
      <Box sx={{ minWidth: 0 }}>
        <Stack direction="row" sx={{ gap: 1, alignItems: 'center', flexWrap: 'wrap' }}>
          <Typography variant="body2" component="p" sx={{ fontWeight: 700, overflowWrap: 'anywhere' }}>
            {service.name}
          </Typography>
          {/* used as: 'user_dashboard.state_*' */}
          {tone && state !== 'active' && (
            <StatusBadge tone={tone} label={t(`user_dashboard.state_${state}`)} />
          )}
        </Stack>
        <Typography variant="caption" component="p" color="textSecondary">
          <NoWrap
            text={[
              service.type,
              fee,
              state === 'scheduled'
                ? t('user_dashboard.begins', { date: format.date(startedAt) })
                : t('user_dashboard.resets', { date: format.date(nextReset) }),
            ].join(' · ')}
          />
        </Typography>
      </Box>
      <Box sx={{ gridColumn: { xs: '1 / -1', sm: 'auto' }, gridRow: { xs: 2, sm: 'auto' }, minWidth: 0 }}>
        <Used subscription={subscription} quota={quota} />
      </Box>
      <Stack direction="row" sx={{ gap: 0.5, justifyContent: 'flex-end' }}>
        {([...(verb ? [verb] : []), 'user_dashboard.manage'] as const).map((each) => (
          <Button
            key={each}
            size="small"
            {...(each === verb && { variant: 'outlined' as const })}
            component={Link}
            to={`/cloud-service/management?subscription=${subscription.id}`}
            aria-label={t('user_dashboard.verb_of', { verb: t(each), service: service.name })}
          >
            {t(each)}
          </Button>
        ))}
      </Stack>
    </Box>
  );
}

function Used({ subscription, quota }: { subscription: Subscription; quota: Quota | undefined }) {
  const { t } = useTranslation('console');
  const format = useFormat();
  const { unit } = subscription.service.meter;
  if (quota)
    return (
      <QuotaBar
        label={quota.serviceName}
        ratio={quota.percent / 100}
        level={levels[quota.status]}
        amounts={t('user_dashboard.used_of', {
          used: format.quantity(quota.used),
          limit: format.quantity(quota.limit, quota.unit),
        })}
      />
    );
  // Several charges have no common quantity, and fees have none.
  if (!isMetered(subscription.service.meter)) return null;
  return (
    <Typography variant="body2" component="p" color="textSecondary" className="tabular">
      {[
        ...(subscription.quota.type === 'unlimited' ? [t('billing_dashboard.no_quota')] : []),
        t('user_dashboard.used', { used: `${format.brief(subscription.usage)} ${unit}`.trimEnd() }),
      ].join(' · ')}
    </Typography>
  );
}
