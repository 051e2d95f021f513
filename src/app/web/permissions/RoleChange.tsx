// Changes a user's role: select, preview by pages and calls, confirm.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { roles, type Role } from '#kernel/roles.ts';
import { identity, type User } from '#features/access/identity/contract.ts';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { consoleApi } from '#platform/web/api/console-api.ts';
import { SearchPicker, useSearchText } from '#platform/web/form/SearchPicker.tsx';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { connect, useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { ConfirmDialog } from '#platform/web/ui/ConfirmDialog.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { SelectBox } from '#platform/web/ui/SelectBox.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import type { RolePreview } from '../../grants/contract.ts';
import { linksOf, menuOf } from '../../menu.ts';
import { dashboardKey } from '../dashboards/api.ts';
import { grantsKey, grantsQueries } from './grants-api.ts';

const {
  client: people,
  queries,
  keyOf,
} = connect('identity', { listUsers: identity.listUsers, updateUser: identity.updateUser }, consoleApi);
const shown = 20;

export function RoleChange() {
  const { t } = useTranslation('console');
  const [user, setUser] = useState<User | null>(null);
  const [role, setRole] = useState<Role>('ReadOnly');
  const [isAsking, setAsking] = useState(false);
  const preview = useQuery({
    ...grantsQueries.previewRole({ userId: user?.id ?? ('' as User['id']), role }),
    enabled: user !== null,
    staleTime: 0,
  });
  const change = useCall(people.updateUser, {
    invalidates: [keyOf(), grantsKey(), dashboardKey('permissions')],
    onSuccess: (after) => {
      setUser(after);
      toast.success(t('permissions.role_changed', { name: after.name }));
    },
  });
  const found = user ? preview.data : undefined;
  const canChange =
    found !== undefined && found.from !== found.to && !found.isLastAdmin && !found.needsOrganization;
  return (
    <Section title={t('permissions.change_role')} lead={t('permissions.change_role_lead')}>
      <Stack sx={{ gap: 2 }}>
        <PersonPicker value={user} onChange={setUser} />
        {/* used as: 'role.*' */}
        <SelectBox
          label={t('permissions.new_role')}
          value={role}
          options={roles.map((one) => ({ value: one, label: t(`role.${one}`) }))}
          onChange={setRole}
          fullWidth
        />
        {preview.error && user && <Alert severity="error">{preview.error.message}</Alert>}
        {found && <Difference preview={found} />}
        <Box>
          <Button
            aria-haspopup="dialog"
            variant="contained"
            disabled={!canChange}
            onClick={() => setAsking(true)}
          >
            {t('permissions.change_role')}
          </Button>
        </Box>
      </Stack>
      {isAsking && found && (
        <ConfirmDialog
          open
          title={t('permissions.role_ask', { name: found.name, role: t(`role.${found.to}`) })}
          consequences={[
            found.pages.lost.length === 0
              ? t('permissions.nothing_lost')
              : t('permissions.pages_lost', { count: found.pages.lost.length }),
            t('permissions.calls_differ', { lost: found.calls.lost.length, won: found.calls.won.length }),
          ]}
          confirmLabel={t('permissions.change_role')}
          tone={found.from === 'Admin' ? 'danger' : 'primary'}
          onConfirm={() => change.mutateAsync({ userId: found.userId, role: found.to })}
          onClose={() => setAsking(false)}
        />
      )}
    </Section>
  );
}

function Difference({
  preview: { from, to, pages, calls, isLastAdmin, needsOrganization },
}: {
  preview: RolePreview;
}) {
  const { t } = useTranslation('console');
  const format = useFormat();
  if (from === to)
    return (
      <Typography variant="body2" color="textSecondary" role="status">
        {t('permissions.same_role')}
      </Typography>
    );
  const labels = new Map(
    roles.flatMap((role) => linksOf(menuOf(role))).map((link) => [link.path, link.label]),
  );
  const names = (paths: readonly string[]): string =>
    format.list([
      ...new Set(
        paths.map((path) => {
          const label = labels.get(path);
          return label === undefined ? path : t(label);
        }),
      ),
    ]);
  return (
    <Stack role="status" sx={{ gap: 1.5, padding: 2, borderRadius: '5px', bgcolor: 'sunken' }}>
      {(
        [
          ['pages_lost', pages.lost],
          ['pages_won', pages.won],
        ] as const
      ).map(
        ([key, paths]) =>
          paths.length > 0 && (
            <Box key={key}>
              {/* used as: 'permissions.pages_*' */}
              <Typography variant="subtitle2" component="p">
                {t(`permissions.${key}`, { count: paths.length })}
              </Typography>
              <Typography variant="body2" color="textSecondary">
                {names(paths)}
              </Typography>
            </Box>
          ),
      )}
      <Typography variant="body2">
        {t('permissions.calls_differ', { lost: calls.lost.length, won: calls.won.length })}
      </Typography>
      {isLastAdmin && <Alert severity="error">{t('permissions.last_admin')}</Alert>}
      {needsOrganization && <Alert severity="warning">{t('permissions.needs_organization')}</Alert>}
    </Stack>
  );
}

function PersonPicker({ value, onChange }: { value: User | null; onChange: (user: User | null) => void }) {
  const { t } = useTranslation('console');
  const { search, onType } = useSearchText(value?.name);
  const found = usePagedQuery(queries.listUsers({ limit: shown, ...(search !== '' && { q: search }) }));
  // used as: 'role.*'
  const pick = (user: User) => ({
    id: user.id,
    name: user.name,
    hint: [user.account, t(`role.${user.role}`), user.organization ?? '']
      .filter((part) => part !== '')
      .join(' · '),
    user,
  });
  return (
    <SearchPicker
      label={t('permissions.person')}
      value={value && pick(value)}
      options={found.data?.items.map(pick) ?? []}
      onChange={(next) => onChange(next?.user ?? null)}
      onType={onType}
      isLoading={found.isFetching}
      none={t('permissions.person_none')}
    />
  );
}
