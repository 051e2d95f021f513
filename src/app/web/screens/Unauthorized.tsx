// Shown in place of a screen that the person's role does not include; the URL stays (R-SHELL-13).
import LockOutlined from '~icons/ic/outline-lock';
import VisibilityOffOutlined from '~icons/ic/outline-visibility-off';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { Link, useLocation } from 'react-router';
import { isRole } from '#kernel/roles.ts';
import { useAuthStore } from '#platform/web/session/auth-store.ts';
import { interruptedView, type InterruptedView } from '#platform/web/session/interrupted-view.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { ContactLine } from '#platform/web/ui/ContactLine.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { Page } from '#platform/web/ui/Page.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { rolesFor } from '../../menu.ts';
import { useLogout } from '../use-logout.ts';

export function Unauthorized() {
  const view = interruptedView();
  return view ? <ViewEnded view={view} /> : <NoAccess />;
}

/** To an Admin who viewed the console as the user of this page, until the page was reloaded. */
function ViewEnded({ view: { userId, name } }: { readonly view: InterruptedView }) {
  const { t } = useTranslation('palette');
  return (
    <Page title={t('unauthorized.view_ended')} width="list">
      <EmptyState
        title={t('unauthorized.view_ended_text', { name })}
        icon={<VisibilityOffOutlined />}
        action={
          <Stack direction="row" sx={{ gap: 1.5, flexWrap: 'wrap', justifyContent: 'center' }}>
            <Button component={Link} to={`/admin/user-management?user=${userId}`} variant="contained">
              {t('unauthorized.open_viewed', { name })}
            </Button>
            <Button component={Link} to="/" variant="outlined">
              {t('unauthorized.home')}
            </Button>
          </Stack>
        }
      />
    </Page>
  );
}

function NoAccess() {
  const { t } = useTranslation('palette');
  const format = useFormat();
  const { pathname, search } = useLocation();
  const changeAccount = useLogout(`/login?returnTo=${encodeURIComponent(pathname + search)}`);
  const user = useAuthStore((auth) => auth.user);
  const role = user?.role.trim();
  const allowed = rolesFor(pathname);
  // Administrators need not ask themselves.
  const isWholeAdmin = role === 'Admin' && !user?.customRole;
  return (
    <Page title={t('unauthorized.title')} width="list">
      <EmptyState
        title={t('unauthorized.text')}
        icon={<LockOutlined />}
        hint={
          <Stack component="span" sx={{ gap: 0.5 }}>
            <Typography component="span" variant="body2">
              {t('unauthorized.your_role', {
                role:
                  user?.customRole?.name ?? (isRole(role) ? t(`role.${role}`) : t('unauthorized.unknown')),
              })}
            </Typography>
            {allowed.length > 0 && (
              <Typography component="span" variant="body2">
                {t('unauthorized.allowed', { roles: format.list(allowed.map((one) => t(`role.${one}`))) })}
              </Typography>
            )}
            {!isWholeAdmin && (
              <>
                <Typography component="span" variant="body2">
                  {t('unauthorized.contact')}
                </Typography>
                <ContactLine />
              </>
            )}
          </Stack>
        }
        action={
          <Stack direction="row" sx={{ gap: 1.5, flexWrap: 'wrap', justifyContent: 'center' }}>
            <Button component={Link} to="/" variant="contained">
              {t('unauthorized.home')}
            </Button>
            <Button variant="outlined" onClick={changeAccount}>
              {t('unauthorized.switch')}
            </Button>
          </Stack>
        }
      />
    </Page>
  );
}
