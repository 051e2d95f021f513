// Whether usage of a subscription to a service that requires prepaid credit is metered: a notice with a link
// to credit, or a badge in a list.
import Alert from '@mui/material/Alert';
import AlertTitle from '@mui/material/AlertTitle';
import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Id } from '#kernel/ids.ts';
import { menuRole } from '#kernel/roles.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLive } from '#platform/web/live/live.ts';
import { useAuthStore } from '#platform/web/session/auth-store.ts';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import { creditgrantsPaths, type CoveredSubscription } from '../contract.ts';
import { creditgrantsKey, creditgrantsQueries } from './api.ts';

/** The own subscriptions that require prepaid credit; all components of a page share the query. */
function useCover() {
  useLive('bills', [creditgrantsKey('creditCover')]);
  useLive('usage', [creditgrantsKey('creditCover')]);
  return useQuery(creditgrantsQueries.creditCover()).data;
}

/** Requests the coverage together with the list whose rows show it. */
export function useCoverAhead(): void {
  useQuery(creditgrantsQueries.creditCover());
}

/** On phones the link to credit is below the text, so that the text has the full width. */
const onPhones = {
  flexWrap: { xs: 'wrap', sm: 'nowrap' },
  '& .MuiAlert-message': { flex: '1 1 0', minWidth: 0 },
  '& .MuiAlert-action': {
    flexBasis: { xs: '100%', sm: 'auto' },
    marginInlineStart: { xs: '26px', sm: 'auto' },
    padding: { xs: 0, sm: '4px 0 0 16px' },
  },
} as const;

/** Renders nothing for a subscription that needs no credit, or has enough. `compact`: a badge. */
export function SubscriptionCover({
  subscriptionId,
  compact = false,
}: {
  subscriptionId: Id<'sub'>;
  compact?: boolean;
}) {
  const { t } = useTranslation('creditgrants');
  const cover = useCover();
  const mayBuy = useAuthStore((auth) => auth.isAuthenticated && menuRole(auth.user?.role) === 'User');
  const own = cover?.items.find((each) => each.subscriptionId === subscriptionId);
  if (!own || !(own.isStopped || own.isNearlyUsed)) return null;
  if (compact) return own.isStopped ? <StatusBadge tone="error" label={t('creditgrants.stopped')} /> : null;
  return (
    <Alert
      severity={own.isStopped ? 'error' : 'warning'}
      sx={onPhones}
      action={
        <Button
          component={Link}
          to={creditgrantsPaths.own}
          color="inherit"
          size="small"
          sx={{ whiteSpace: 'nowrap' }}
        >
          {t(cover?.isSold && mayBuy ? 'creditgrants.buy' : 'creditgrants.view')}
        </Button>
      }
    >
      <Words of={own} isSold={cover?.isSold ?? false} />
    </Alert>
  );
}

function Words({ of, isSold }: { of: CoveredSubscription; isSold: boolean }) {
  const { t } = useTranslation('creditgrants');
  if (!of.isStopped) return <>{t('creditgrants.nearly_used_note')}</>;
  return (
    <>
      <AlertTitle>{t('creditgrants.stopped')}</AlertTitle>
      {t(isSold ? 'creditgrants.stopped_note' : 'creditgrants.stopped_note_ask')}
    </>
  );
}

/**
 * The services that are not metered because of missing credit, shown above the own credit; `onBuy` opens the
 * form if credit is sold.
 */
export function StoppedServices({ onBuy }: { onBuy: (() => void) | undefined }) {
  const { t } = useTranslation('creditgrants');
  const format = useFormat();
  const stopped = useCover()?.items.filter(({ isStopped }) => isStopped) ?? [];
  if (stopped.length === 0) return null;
  return (
    <Alert
      severity="error"
      sx={onPhones}
      action={
        onBuy && (
          <Button
            aria-haspopup="dialog"
            color="inherit"
            size="small"
            onClick={onBuy}
            sx={{ whiteSpace: 'nowrap' }}
          >
            {t('creditgrants.buy')}
          </Button>
        )
      }
    >
      <AlertTitle>
        {t('creditgrants.stopped_services', {
          services: format.list([...new Set(stopped.map(({ service }) => service))]),
        })}
      </AlertTitle>
      {t(onBuy ? 'creditgrants.stopped_note' : 'creditgrants.stopped_note_ask')}
    </Alert>
  );
}
