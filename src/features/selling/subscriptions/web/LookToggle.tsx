// Table or cards.
import GridViewOutlined from '~icons/ic/outline-grid-view';
import ViewListOutlined from '~icons/ic/outline-view-list';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useSubscriptionsLook, type SubscriptionsLook } from './subscriptions-look.ts';

export function LookToggle() {
  const { t } = useTranslation('subscriptions');
  const { look, setLook } = useSubscriptionsLook();
  return (
    <ToggleButtonGroup
      exclusive
      size="small"
      value={look}
      aria-label={t('subscriptions.look')}
      onChange={(_, next: SubscriptionsLook | null) => next && setLook(next)}
      sx={{ display: { xs: 'none', sm: 'inline-flex' } }}
    >
      <ToggleButton
        value="lines"
        aria-label={t('subscriptions.look_lines')}
        title={t('subscriptions.look_lines')}
      >
        <ViewListOutlined fontSize="small" />
      </ToggleButton>
      <ToggleButton
        value="cards"
        aria-label={t('subscriptions.look_cards')}
        title={t('subscriptions.look_cards')}
      >
        <GridViewOutlined fontSize="small" />
      </ToggleButton>
    </ToggleButtonGroup>
  );
}
