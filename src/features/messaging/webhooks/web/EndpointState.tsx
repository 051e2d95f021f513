// An endpoint's state: a badge, with reason and time.
import Typography from '@mui/material/Typography';
import type { Endpoint } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { NoWrap } from '#platform/web/ui/NoWrap.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';

export function EndpointState({ endpoint: { offReason, failingSince } }: { endpoint: Endpoint }) {
  const { t } = useTranslation('webhooks');
  const format = useFormat();
  // used as: 'webhooks.off_*'
  const reason =
    offReason !== null
      ? t(`webhooks.off_${offReason}`)
      : failingSince && t('webhooks.failing_since', { since: format.dateTime(failingSince) });
  return (
    <>
      {offReason !== null ? (
        <StatusBadge tone="neutral" label={t('webhooks.off')} />
      ) : failingSince ? (
        <StatusBadge tone="warning" label={t('webhooks.failing')} />
      ) : (
        <StatusBadge tone="success" label={t('webhooks.on')} />
      )}
      {reason && (
        <Typography variant="caption" component="div" color="textSecondary" sx={{ maxWidth: 260 }}>
          <NoWrap text={reason} />
        </Typography>
      )}
    </>
  );
}
