// The home page: what the console is, and sign-in. Works without the API.
import CloudOutlined from '~icons/ic/outline-cloud';
import QueryStatsOutlined from '~icons/ic/outline-query-stats';
import ReceiptLongOutlined from '~icons/ic/outline-receipt-long';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import type { ComponentType } from 'react';
import { Link } from 'react-router';
import { brandTitle } from '#kernel/brand-title.ts';
import { useSystemStatus } from '#features/operations/administration/web/index.ts';
import { useAuthStore } from '#platform/web/session/auth-store.ts';
import { useBrand } from '#platform/web/shell/brand.ts';
import { useDocumentTitle } from '#platform/web/shell/document-title.ts';
import { useTranslation, type TextKey } from '#platform/web/i18n/i18n.ts';
import { landingPathOf } from '../../menu.ts';
import { HeroArt } from '../HeroArt.tsx';
import { WelcomeHead } from '../WelcomeHead.tsx';

const features: readonly (readonly [ComponentType, TextKey<'app'>, TextKey<'app'>])[] = [
  [CloudOutlined, 'home.services', 'home.services_text'],
  [QueryStatsOutlined, 'home.usage', 'home.usage_text'],
  [ReceiptLongOutlined, 'home.bills', 'home.bills_text'],
];

export function Home() {
  const { t } = useTranslation('app');
  const brand = useBrand();
  const title = brandTitle(brand);
  useDocumentTitle(title);
  return (
    <Box
      sx={{
        minHeight: '100dvh',
        display: 'flex',
        flexDirection: 'column',
        maxWidth: 1120,
        marginInline: 'auto',
        paddingInline: { xs: '16px', sm: '32px' },
      }}
    >
      <WelcomeHead />
      <Box
        component="main"
        sx={{
          flex: 1,
          display: 'flex',
          flexDirection: 'column',
          justifyContent: 'center',
          gap: { xs: 4, md: 7 },
          paddingBlock: { xs: '24px 40px', md: '40px 64px' },
        }}
      >
        <Box
          sx={{
            display: 'grid',
            gap: 4,
            alignItems: 'center',
            gridTemplateColumns: { xs: '1fr', md: 'minmax(0, 1fr) minmax(0, 400px)' },
          }}
        >
          <Box sx={{ maxWidth: 720 }}>
            <Typography
              variant="h1"
              sx={{ fontSize: 'clamp(2rem, 1.2rem + 3.4vw, 3.25rem)', lineHeight: 1.2 }}
            >
              {t('home.title')}
            </Typography>
            <Typography
              color="textSecondary"
              sx={{ fontSize: { xs: '1rem', md: '1.125rem' }, lineHeight: 1.7, marginTop: 2, maxWidth: 620 }}
            >
              {t('home.lead')}
            </Typography>
            <WayIn />
          </Box>
          <HeroArt />
        </Box>
        <Box
          component="section"
          aria-label={t('home.features')}
          sx={{
            display: 'grid',
            gap: { xs: 2, sm: 3 },
            gridTemplateColumns: { xs: '1fr', sm: 'repeat(2, 1fr)', md: 'repeat(3, 1fr)' },
          }}
        >
          {features.map(([Icon, heading, text]) => (
            <Box
              key={heading}
              sx={{
                padding: '24px',
                bgcolor: 'background.paper',
                border: '1px solid',
                borderColor: 'divider',
                borderRadius: '5px',
                '&:last-child': { gridColumn: { sm: '1 / -1', md: 'auto' } },
              }}
            >
              <Box
                aria-hidden
                sx={{
                  display: 'grid',
                  placeItems: 'center',
                  width: 44,
                  height: 44,
                  borderRadius: '5px',
                  bgcolor: 'primary.soft',
                  color: 'primary.softText',
                  marginBottom: 2,
                }}
              >
                <Icon />
              </Box>
              <Typography variant="h3" component="h2">
                {t(heading)}
              </Typography>
              <Typography variant="body2" color="textSecondary" sx={{ marginTop: 0.75 }}>
                {t(text)}
              </Typography>
            </Box>
          ))}
        </Box>
      </Box>
      <Typography component="footer" variant="caption" color="textSecondary" sx={{ paddingBlock: 2 }}>
        {t('home.version', { version: brand.version })}
      </Typography>
    </Box>
  );
}

/** Login and registration; the dashboard for a signed-in user; the set-up while the console has no user. */
function WayIn() {
  const { t } = useTranslation('app');
  const user = useAuthStore((auth) => (auth.isAuthenticated ? auth.user : null));
  const { data: status } = useSystemStatus();
  const button = { minWidth: 132, fontSize: '1rem' } as const;
  return (
    <Box sx={{ display: 'flex', gap: 1.5, marginTop: 4, flexWrap: 'wrap' }}>
      {user && (
        <Button component={Link} to={landingPathOf(user)} variant="contained" size="large" sx={button}>
          {t('home.to_dashboard')}
        </Button>
      )}
      {!user && status?.initialized === false && (
        <Button component={Link} to="/system/initialization" variant="contained" size="large" sx={button}>
          {t('home.to_setup')}
        </Button>
      )}
      {!user && status?.initialized !== false && (
        <>
          <Button component={Link} to="/login" variant="contained" size="large" sx={button}>
            {t('auth.login')}
          </Button>
          <Button component={Link} to="/register" variant="outlined" size="large" sx={button}>
            {t('auth.register')}
          </Button>
        </>
      )}
    </Box>
  );
}
