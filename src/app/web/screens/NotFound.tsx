// Page not found: shows the path and suggests the page that was probably meant.
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Paper from '@mui/material/Paper';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { Link as RouterLink, useLocation } from 'react-router';
import { useAuthStore } from '#platform/web/session/auth-store.ts';
import { useDocumentTitle } from '#platform/web/shell/document-title.ts';
import { useTranslation, type TextKey } from '#platform/web/i18n/i18n.ts';
import { ContactLine } from '#platform/web/ui/ContactLine.tsx';
import { landingPathOf, linksOf, menuOf } from '../../menu.ts';
import { nearest } from '../nearest.ts';
import { PaletteSearch } from '../palette/PaletteSearch.tsx';
import { useChoose } from '../palette/use-choose.ts';

/** Pages that a visitor may have meant. */
const publicPages: readonly { readonly path: string; readonly label: TextKey<'app'> }[] = [
  { path: '/login', label: 'auth.login' },
  { path: '/register', label: 'auth.register' },
];

export function NotFound() {
  const { t } = useTranslation('palette');
  const { pathname } = useLocation();
  const user = useAuthStore((auth) => (auth.isAuthenticated ? auth.user : null));
  useDocumentTitle(t('not_found.title'));
  const isNamed = pathname !== '/404' && pathname !== '/session/404';
  const pages: typeof publicPages = user ? linksOf(menuOf(user)) : publicPages;
  const guess = isNamed ? nearest(pathname, pages) : undefined;
  return (
    <Stack
      component="main"
      sx={{
        minHeight: '100dvh',
        alignItems: 'center',
        justifyContent: 'center',
        gap: 2,
        padding: { xs: 2, sm: 3 },
        textAlign: 'center',
      }}
    >
      <meta name="robots" content="noindex" />
      <Lost />
      <Typography variant="h1">{t('not_found.title')}</Typography>
      <Typography color="textSecondary" sx={{ maxWidth: 520, overflowWrap: 'anywhere' }}>
        {pathname === '/session/404'
          ? t('not_found.session')
          : isNamed
            ? t('not_found.text', { path: pathname })
            : t('not_found.text_plain')}
      </Typography>
      {guess && (
        <Link
          component={RouterLink}
          to={guess.path}
          sx={{ display: 'inline-flex', alignItems: 'center', minHeight: 32 }}
        >
          {t('not_found.guess', { label: t(guess.label) })}
        </Link>
      )}
      <Search />
      <Stack direction="row" sx={{ gap: 1.5, marginTop: 1, flexWrap: 'wrap', justifyContent: 'center' }}>
        {user && (
          <Button component={RouterLink} to={landingPathOf(user)} variant="contained">
            {t('home.to_dashboard')}
          </Button>
        )}
        <Button component={RouterLink} to="/" variant={user ? 'outlined' : 'contained'}>
          {t('not_found.home')}
        </Button>
        {!user && (
          <Button component={RouterLink} to="/login" variant="outlined">
            {t('auth.login')}
          </Button>
        )}
      </Stack>
      <ContactLine />
    </Stack>
  );
}

/** The palette's search on the page. */
function Search() {
  const choose = useChoose(stay);
  return (
    <Paper
      variant="outlined"
      role="search"
      sx={{
        width: '100%',
        maxWidth: 520,
        textAlign: 'start',
        display: 'flex',
        flexDirection: 'column',
        maxHeight: 420,
        overflow: 'hidden',
        borderColor: 'control',
      }}
    >
      <PaletteSearch onChoose={choose} />
    </Paper>
  );
}

const stay = (): void => undefined;

/** A cloud without its tally marks. */
function Lost() {
  return (
    <Box component="svg" viewBox="0 -8 160 104" aria-hidden sx={{ width: 200, color: 'text.secondary' }}>
      <path
        d="M44 74a24 24 0 0 1-2-47.9A38 38 0 0 1 114 20a27 27 0 0 1-1 54"
        fill="none"
        stroke="currentColor"
        strokeWidth="3"
        strokeLinecap="round"
      />
      <g stroke="currentColor" strokeWidth="3" strokeLinecap="round" strokeDasharray="2 7">
        <path d="M60 88V62M79 88V50M98 88V66" />
      </g>
    </Box>
  );
}
