// A banner on every page while an Admin views the console as another user, with a button to end that.
import VisibilityOutlined from '~icons/ic/outline-visibility';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useAuthStore, useViewing } from '#platform/web/session/auth-store.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { endView } from './view-as.ts';

export function ViewBanner() {
  const { t } = useTranslation('identity');
  const format = useFormat();
  const name = useAuthStore((auth) => auth.user?.name ?? '');
  const until = useViewing((viewing) => viewing.until);
  const navigate = useNavigate();
  const [isEnding, setIsEnding] = useState(false);
  const end = (): void => {
    setIsEnding(true);
    void endView().then(navigate);
  };
  return (
    <>
      <Box
        role="region"
        aria-label={t('identity.viewing', { name })}
        sx={{
          position: 'fixed',
          insetInline: 0,
          bottom: 0,
          zIndex: 'tooltip',
          display: 'flex',
          alignItems: 'center',
          justifyContent: 'center',
          flexWrap: 'wrap',
          columnGap: 2,
          rowGap: 0.5,
          padding: '8px 16px',
          bgcolor: 'warning.main',
          color: 'warning.contrastText',
          borderTop: '3px solid',
          borderColor: 'error.main',
        }}
      >
        <Typography
          variant="subtitle2"
          component="p"
          role="status"
          sx={{ display: 'flex', alignItems: 'center', gap: 1 }}
        >
          <VisibilityOutlined aria-hidden />
          {t('identity.viewing', { name })}
        </Typography>
        {until && (
          <Typography variant="body2" className="tabular">
            {t('identity.viewing_until', { when: format.time(until) })}
          </Typography>
        )}
        <Button
          variant="contained"
          color="inherit"
          size="small"
          loading={isEnding}
          onClick={end}
          sx={{
            color: 'text.primary',
            bgcolor: 'background.paper',
            '&:hover': { bgcolor: 'background.paper' },
          }}
        >
          {t('identity.viewing_end')}
        </Button>
      </Box>
      {/* Space at the end of every page, so that the banner covers no content. */}
      <Box aria-hidden sx={{ height: 72 }} />
    </>
  );
}
