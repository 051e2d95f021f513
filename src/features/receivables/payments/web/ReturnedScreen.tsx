// The page to which a provider's page returns. Signed-in users continue to their payments. Users who paid
// from a frame on another site, and are not signed in here, see the payment's progress and may close the tab.
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, Navigate } from 'react-router';
import { isId, type Id } from '#kernel/ids.ts';
import { billingPaths } from '#features/invoicing/billing/contract.ts';
import { ApiError } from '#platform/web/api/api-error.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useParam } from '#platform/web/routing/use-param.ts';
import { useAuthStore } from '#platform/web/session/auth-store.ts';
import { FormCard } from '#platform/web/ui/FormCard.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { Spinner } from '#platform/web/ui/Spinner.tsx';
import { paymentsQueries } from './api.ts';
import { ReturnOutcome } from './ReturnOutcome.tsx';
import { lookAgainMs } from './use-payment.ts';

export function ReturnedScreen() {
  const [paid] = useParam('payment');
  const [cancelled] = useParam('cancelled');
  const [seal = ''] = useParam('seal');
  const { isLoading, user } = useAuthStore();
  const paymentId = paid ?? cancelled;
  const own = `${billingPaths.bills}?view=payments&${paid === undefined ? 'cancelled' : 'payment'}=${paymentId}`;
  if (isLoading) return <Spinner page />;
  // Users without an organization, such as Admins, have no payments of their own.
  if (user !== null && user.organizationId !== null) return <Navigate to={own} replace />;
  return (
    <Outside own={own}>
      {isId('pay', paymentId) && seal !== '' ? (
        <Outcome paymentId={paymentId} seal={seal} isCancelled={paid === undefined} />
      ) : (
        <Unknown />
      )}
    </Outside>
  );
}

/** `own`: where signed-in users see the payment. */
function Outside({ own, children }: { readonly own: string; readonly children: ReactNode }) {
  const { t } = useTranslation('payments');
  return (
    <FormCard title={t('payments.return_title')}>
      {/* The address belongs to a single payment. */}
      <meta name="robots" content="noindex" />
      <Stack sx={{ gap: 2 }}>
        {children}
        <Button component={Link} to={own} variant="outlined" sx={{ alignSelf: 'flex-start' }}>
          {t('payments.return_to_bills')}
        </Button>
      </Stack>
    </FormCard>
  );
}

function Outcome({
  paymentId,
  seal,
  isCancelled,
}: {
  readonly paymentId: Id<'pay'>;
  readonly seal: string;
  readonly isCancelled: boolean;
}) {
  const { t } = useTranslation('payments');
  const query = useQuery({
    ...paymentsQueries.paymentOutcome({ paymentId, seal }),
    retry: false,
    refetchInterval: ({ state }) => (state.data?.outcome === 'waiting' ? lookAgainMs : false),
  });
  // An incomplete address is a result, not a failure.
  if (query.error instanceof ApiError && query.error.status === 404) return <Unknown />;
  return (
    <QueryState query={query} skeleton={<Lines count={3} />}>
      {({ outcome }) => (
        <>
          <ReturnOutcome outcome={outcome === 'waiting' && isCancelled ? 'cancelled' : outcome} />
          <Typography variant="body2">{t('payments.return_close')}</Typography>
        </>
      )}
    </QueryState>
  );
}

function Unknown() {
  const { t } = useTranslation('payments');
  return <Alert severity="warning">{t('payments.return_unknown')}</Alert>;
}
