// The page to which a provider's card page returns. Signed-in users continue to their cards. Users who
// entered the card from a frame on another site, and are not signed in here, may close the tab: the frame
// shows the card as soon as its provider reports it.
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { Link, Navigate } from 'react-router';
import { billingPaths } from '#features/invoicing/billing/contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useParam } from '#platform/web/routing/use-param.ts';
import { useAuthStore } from '#platform/web/session/auth-store.ts';
import { FormCard } from '#platform/web/ui/FormCard.tsx';
import { Spinner } from '#platform/web/ui/Spinner.tsx';

export function CardReturnedScreen() {
  const { t } = useTranslation('collection');
  const [entered] = useParam('card');
  const [cancelled = ''] = useParam('cardCancelled');
  const { isLoading, user } = useAuthStore();
  const own = `${billingPaths.bills}?${entered === undefined ? `cardCancelled=${cancelled}` : `card=${entered}`}`;
  if (isLoading) return <Spinner page />;
  // Users without an organization, such as Admins, have no cards.
  if (user !== null && user.organizationId !== null) return <Navigate to={own} replace />;
  return (
    <FormCard title={t('collection.title')}>
      <meta name="robots" content="noindex" />
      <Stack sx={{ gap: 2 }}>
        <Typography variant="subtitle1" component="p" role="status">
          {t(entered === undefined ? 'collection.cancelled' : 'collection.entered')}
        </Typography>
        <Typography variant="body2">{t('collection.return_close')}</Typography>
        <Button component={Link} to={own} variant="outlined" sx={{ alignSelf: 'flex-start' }}>
          {t('collection.return_to_cards')}
        </Button>
      </Stack>
    </FormCard>
  );
}
