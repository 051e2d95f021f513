// Permissions by role and route, as the server enforces them (R-AUTH-15, R-AUTH-16, R-ADM-03).
import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import Link from '@mui/material/Link';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import Typography from '@mui/material/Typography';
import { useTheme } from '@mui/material/styles';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { Link as RouterLink } from 'react-router';
import { loadRolesPart } from '#features/access/custom-roles/web/index.ts';
import { lazyComponent } from '#platform/web/loading/lazy-component.ts';
import type { Out } from '#kernel/contract.ts';
import { roles, type Role } from '#kernel/roles.ts';
import { useLanguage, useTranslation } from '#platform/web/i18n/i18n.ts';
import { NoMatch } from '#platform/web/ui/EmptyState.tsx';
import { Page } from '#platform/web/ui/Page.tsx';
import { Block, QueryState } from '#platform/web/ui/QueryState.tsx';
import { SearchField } from '#platform/web/ui/SearchField.tsx';
import { Grid, Section } from '#platform/web/ui/Section.tsx';
import { VisuallyHidden } from '#platform/web/ui/VisuallyHidden.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useParam } from '#platform/web/routing/use-param.ts';
import type { consoleContract } from '../../console/contract.ts';
import { linksOf, menuOf } from '../../menu.ts';
import { dashboardQueries } from '../dashboards/api.ts';
import { filtered, permissionGroups, type PermissionGroup } from './permission-groups.ts';
import { PermissionList } from './PermissionList.tsx';
import { Grants } from './Grants.tsx';
import { PermissionMatrix } from './PermissionMatrix.tsx';
import { RoleChange } from './RoleChange.tsx';
import { useRowName } from './row-name.ts';

const RolesPart = lazyComponent(loadRolesPart).Component;

type Answer = Out<typeof consoleContract.permissions>;

export function PermissionsScreen() {
  const { t } = useTranslation('console');
  const query = useQuery(dashboardQueries.permissions({ language: useLanguage() }));
  return (
    <Page title={t('menu.permissions')} lead={t('permissions.lead')}>
      <QueryState
        query={query}
        skeleton={
          <>
            <Block height={120} />
            <Block height={520} />
          </>
        }
      >
        {(answer) => <Content answer={answer} />}
      </QueryState>
    </Page>
  );
}

function Content({ answer }: { answer: Answer }) {
  const { t } = useTranslation('console');
  const format = useFormat();
  const [search, setSearch] = useParam('q');
  const groups = filtered(permissionGroups(answer.routes), search ?? '', useRowName());
  const found = groups.reduce((sum, group) => sum + group.rows.length, 0);
  const find = (text: string) => setSearch(text.trim() === '' ? undefined : text.trim(), { replace: true });
  return (
    <>
      <Box
        sx={{
          display: 'grid',
          gap: { xs: 2, md: 3 },
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(3, minmax(0, 1fr))' },
        }}
      >
        {roles.map((role) => (
          <RoleCard
            key={role}
            role={role}
            users={answer.users.find((one) => one.role === role)?.count ?? 0}
          />
        ))}
      </Box>
      <Grid columns={2}>
        <Grants />
        <RoleChange />
      </Grid>
      <Suspense fallback={<Block height={180} />}>
        <RolesPart scope="platform" />
      </Suspense>
      <Section
        title={t('permissions.matrix')}
        flush
        actions={<SearchField value={search ?? ''} onSearch={find} label={t('permissions.search')} />}
      >
        <VisuallyHidden live>{t('table.results', { total: format.number(found) })}</VisuallyHidden>
        {found === 0 ? (
          <NoMatch onClear={() => find('')} />
        ) : (
          <Table groups={groups} isSearched={search !== undefined} />
        )}
      </Section>
    </>
  );
}

/** All roles side by side; on phones one at a time. */
function Table({ groups, isSearched }: { groups: readonly PermissionGroup[]; isSearched: boolean }) {
  const { t } = useTranslation('console');
  const theme = useTheme();
  const isPhone = useMediaQuery(theme.breakpoints.down('sm'));
  const [wanted, setRole] = useParam('role');
  if (!isPhone) return <PermissionMatrix groups={groups} />;
  const role = roles.find((one) => one === wanted) ?? 'Admin';
  return (
    <>
      <Tabs
        value={role}
        onChange={(_, next: Role) => setRole(next, { replace: true })}
        variant="fullWidth"
        aria-label={t('permissions.role')}
      >
        {roles.map((one) => (
          <Tab key={one} value={one} label={t(`role.${one}`)} />
        ))}
      </Tabs>
      <PermissionList groups={groups} role={role} isSearched={isSearched} />
    </>
  );
}

function RoleCard({ role, users }: { role: Role; users: number }) {
  const { t } = useTranslation('console');
  const format = useFormat();
  return (
    <Card component="section" aria-label={t(`role.${role}`)} sx={{ padding: { xs: 2, sm: '16px 24px' } }}>
      <Box
        sx={{
          display: 'flex',
          justifyContent: 'space-between',
          gap: '0 8px',
          alignItems: 'baseline',
          flexWrap: 'wrap',
        }}
      >
        <Typography variant="h3" component="h2">
          {t(`role.${role}`)}
        </Typography>
        <Link
          component={RouterLink}
          to={`/admin/user-management?role=${role}`}
          variant="body2"
          data-standalone
        >
          {t('permissions.users', { count: format.number(users) })}
        </Link>
      </Box>
      {/* used as: 'permissions.about_*' */}
      <Typography variant="body2" color="textSecondary">
        {t(`permissions.about_${role}`, { pages: linksOf(menuOf(role)).length })}
      </Typography>
    </Card>
  );
}
