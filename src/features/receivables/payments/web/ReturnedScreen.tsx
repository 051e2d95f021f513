// Where a provider's page leads back to. Whoever is signed in goes on to their payments; whoever paid in a frame of another site, and is not
// signed in here, hears how far the payment is and may close the tab.
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
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
  // Whoever acts for no organization, as an Admin, has no payments of their own.
  if (user !== null && user.organizationId !== null) return <Navigate to={own} replace />;
  return (
    <Outside
      paymentId={isId('pay', paymentId) ? paymentId : undefined}
      seal={seal}
      isCancelled={paid === undefined}
      own={own}
    />
  );
}

function Outside({
  paymentId,
  seal,
  isCancelled,
  own,
}: {
  readonly paymentId: Id<'pay'> | undefined;
  readonly seal: string;
  readonly isCancelled: boolean;
  /** Where the signed-in see the payment. */
  readonly own: string;
}) {
  const { t } = useTranslation('payments');
  const isAsked = paymentId !== undefined && seal !== '';
  const query = useQuery({
    ...paymentsQueries.paymentOutcome({ paymentId: paymentId ?? 'pay_', seal }),
    enabled: isAsked,
    retry: false,
    refetchInterval: ({ state }) => (state.data?.outcome === 'waiting' ? lookAgainMs : false),
  });
  const isUnknown = !isAsked || (query.error instanceof ApiError && query.error.status < 500);
  return (
    <FormCard title={t('payments.return_title')}>
      <meta name="robots" content="noindex" />
      <Stack sx={{ gap: 2 }}>
        {isUnknown ? (
          <Alert severity="warning">{t('payments.return_unknown')}</Alert>
        ) : (
          <QueryState query={query} skeleton={<Lines count={3} />}>
            {({ outcome }) => (
              <>
                <ReturnOutcome outcome={outcome === 'waiting' && isCancelled ? 'cancelled' : outcome} />
                <Typography variant="body2">{t('payments.return_close')}</Typography>
              </>
            )}
          </QueryState>
        )}
        <Button component={Link} to={own} variant="text" sx={{ alignSelf: 'flex-start' }}>
          {t('payments.return_to_bills')}
        </Button>
      </Stack>
    </FormCard>
  );
}
