// Development only: signs in as any role and shows which pages each role may open (R-SHELL-14).
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Stack from '@mui/material/Stack';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import { Link as RouterLink } from 'react-router';
import * as z from 'zod/mini';
import { contract, route } from '#kernel/contract.ts';
import { menuRole, roles, type Role } from '#kernel/roles.ts';
import { role } from '#kernel/shape.ts';
import { SignedIn } from '#features/access/identity/contract.ts';
import { useAuthStore } from '#platform/web/session/auth-store.ts';
import { createClient } from '#platform/web/api/api.ts';
import { consoleApi } from '#platform/web/api/console-api.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { queryCache } from '#platform/web/api/queries.ts';
import { signIn } from '#platform/web/session/session.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { Page } from '#platform/web/ui/Page.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import { linksOf, mayOpen, menuOf } from '../../menu.ts';

// Not in any feature's contract, because a production server does not have this route.
const debug = createClient(
  contract({
    signIn: route({
      method: 'POST',
      path: '/debug/sign-in',
      access: 'public',
      summary: '',
      input: z.strictObject({ role }),
      output: SignedIn,
    }),
  }),
  consoleApi,
);
const paths = [...new Set(roles.flatMap((one) => linksOf(menuOf(one)).map((item) => item.path)))];

export function RouteRoleDebug() {
  // used as: 'role.*'
  const { t } = useTranslation('app');
  const user = useAuthStore((auth) => (auth.isAuthenticated ? auth.user : null));
  const become = (wanted: Role) => {
    debug.signIn({ role: wanted }).then((answer) => {
      queryCache.clear();
      signIn(answer);
    }, toast.failure);
  };
  return (
    <Page
      title={t('debug.title')}
      lead={t('debug.lead')}
      aside={<StatusBadge tone="alarm" label={t('debug.ribbon')} />}
    >
      <Section title={t('debug.now', { role: user ? t(`role.${menuRole(user.role)}`) : t('debug.nobody') })}>
        <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
          {roles.map((one) => (
            <Button key={one} variant="outlined" onClick={() => become(one)}>
              {t('debug.as', { role: t(`role.${one}`) })}
            </Button>
          ))}
        </Stack>
      </Section>
      <Section title={t('debug.matrix')} flush>
        <TableContainer tabIndex={0} role="region" aria-label={t('debug.matrix')}>
          <Table size="small">
            <TableHead>
              <TableRow>
                <TableCell>{t('debug.path')}</TableCell>
                {roles.map((one) => (
                  <TableCell key={one}>{t(`role.${one}`)}</TableCell>
                ))}
              </TableRow>
            </TableHead>
            <TableBody>
              {paths.map((path) => (
                <TableRow key={path} hover>
                  <TableCell component="th" scope="row">
                    <Link component={RouterLink} to={path}>
                      {path}
                    </Link>
                  </TableCell>
                  {roles.map((one) => (
                    <TableCell key={one}>
                      <StatusBadge
                        tone={mayOpen(one, path) ? 'success' : 'neutral'}
                        label={t(mayOpen(one, path) ? 'debug.allowed' : 'debug.denied')}
                      />
                    </TableCell>
                  ))}
                </TableRow>
              ))}
            </TableBody>
          </Table>
        </TableContainer>
      </Section>
    </Page>
  );
}
