// Switches between table and cards.
import GridViewOutlined from '~icons/ic/outline-grid-view';
import ViewListOutlined from '~icons/ic/outline-view-list';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import { useTranslation } from '#platform/web/i18n/i18n.ts';

type Look = 'lines' | 'cards';

export function LookToggle({ look, setLook }: { look: Look; setLook: (look: Look) => void }) {
  const { t } = useTranslation('subscriptions');
  return (
    <ToggleButtonGroup
      exclusive
      size="small"
      value={look}
      aria-label={t('subscriptions.look')}
      onChange={(_, next: Look | null) => next && setLook(next)}
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
