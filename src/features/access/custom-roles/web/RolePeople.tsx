// The people who have a custom role: assigns it to others, and removes it, which leaves them the whole
// built-in role.
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Id } from '#kernel/ids.ts';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { useRequired } from '#platform/web/form/use-required.ts';
import { useProblemText } from '#platform/web/form/Field.tsx';
import { SearchPicker, useSearchText } from '#platform/web/form/SearchPicker.tsx';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useAuthStore } from '#platform/web/session/auth-store.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { ActionRows } from '#platform/web/ui/ActionRows.tsx';
import { ConfirmDialog } from '#platform/web/ui/ConfirmDialog.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { SidePanel } from '#platform/web/ui/SidePanel.tsx';
import { identityApi, identityKey, identityQueries } from '#features/access/identity/web/parts.ts';
import type { CustomRole } from '../contract.ts';
import { rolesKey } from './api.ts';
import type { RoleScope } from './role-scope.ts';

type Person = { readonly id: Id<'usr'>; readonly name: string; readonly account: string };
type PeopleProps = { readonly scope: RoleScope; readonly role: CustomRole };

/** How many people are listed, and how many matches a search shows. */
const listed = 100;
const shown = 20;

export function RolePeople({ scope, role, onClose }: PeopleProps & { readonly onClose: () => void }) {
  const { t } = useTranslation('customroles');
  const [leaving, setLeaving] = useState<Person>();
  const query = usePeopleWith(scope, role);
  // used as: 'customroles.base_*'
  const base = t(`customroles.base_${role.baseRole}`);
  const change = useRoleChange(scope);
  return (
    <SidePanel open title={t('customroles.manage_title', { name: role.name })} onClose={onClose}>
      <Stack sx={{ gap: 3 }}>
        <GiveRole scope={scope} role={role} />
        <QueryState query={query} skeleton={<Lines count={3} />}>
          {(people) => (
            <ActionRows
              label={t('customroles.manage')}
              none={t('customroles.people_none')}
              rows={people.map((person) => ({
                key: person.id,
                title: person.name,
                detail: person.account,
                side: (
                  <Button
                    aria-haspopup="dialog"
                    size="small"
                    aria-label={t('customroles.take_person', { person: person.name })}
                    onClick={() => setLeaving(person)}
                  >
                    {t('customroles.take')}
                  </Button>
                ),
              }))}
            />
          )}
        </QueryState>
      </Stack>
      {leaving && (
        <ConfirmDialog
          open
          title={t('customroles.take_ask', { name: role.name, person: leaving.name })}
          consequences={[t('customroles.take_effect', { person: leaving.name, base })]}
          confirmLabel={t('customroles.take_confirm')}
          onConfirm={async () => {
            await change.mutateAsync({ userId: leaving.id, customRoleId: null });
            toast.success(t('customroles.taken', { person: leaving.name, base }));
          }}
          onClose={() => setLeaving(undefined)}
        />
      )}
    </SidePanel>
  );
}

/** The people who have a role: of all organizations for Admins, of their own for Users. */
function usePeopleWith(scope: RoleScope, role: CustomRole) {
  const everywhere = useQuery({
    ...identityQueries.listUsers({ customRoleId: role.id, limit: listed }),
    enabled: scope === 'platform',
  });
  const colleagues = useQuery({ ...identityQueries.members(), enabled: scope === 'own' });
  const { data, error, refetch } = scope === 'platform' ? everywhere : colleagues;
  const people = data?.items.filter(({ customRole }) => customRole?.id === role.id);
  return { data: people, error, refetch };
}

type RoleChange = { readonly userId: Id<'usr'>; readonly customRoleId: Id<'rol'> | null };

function useRoleChange(scope: RoleScope) {
  const change = (input: RoleChange): Promise<unknown> =>
    scope === 'platform' ? identityApi.updateUser(input) : identityApi.updateMember(input);
  return useCall(change, {
    invalidates: [rolesKey(), identityKey('listUsers'), identityKey('members')],
  });
}

/** Finds a person with the built-in role and assigns the custom one. */
function GiveRole({ scope, role }: PeopleProps) {
  const { t } = useTranslation('customroles');
  const ownId = useAuthStore((auth) => auth.user?.id);
  const [person, setPerson] = useState<Person | null>(null);
  const { search, onType } = useSearchText(person?.name);
  const found = usePagedQuery({
    ...identityQueries.listUsers({
      role: role.baseRole,
      status: 'active',
      limit: shown,
      ...(role.organizationId !== null && { organizationId: role.organizationId }),
      ...(search !== '' && { q: search }),
    }),
    enabled: scope === 'platform',
  });
  const colleagues = useQuery({ ...identityQueries.members(), enabled: scope === 'own' });
  const people = (scope === 'platform' ? found : colleagues).data?.items ?? [];
  const options = people
    .filter(
      (one) =>
        one.role === role.baseRole &&
        one.status === 'active' &&
        one.id !== ownId &&
        one.customRole?.id !== role.id,
    )
    .map(({ id, name, account }) => ({ id, name, account, hint: account }));
  const give = useRoleChange(scope);
  const required = useRequired(person !== null);
  const missing = useProblemText(t('customroles.person'), required.problem);
  const submit = async (to: Person) => {
    await give.mutateAsync({ userId: to.id, customRoleId: role.id });
    toast.success(t('customroles.given', { person: to.name, name: role.name }));
    setPerson(null);
  };
  // used as: 'customroles.base_*'
  return (
    <Stack sx={{ gap: 1 }}>
      <SearchPicker
        label={t('customroles.person')}
        value={person && { ...person, hint: person.account }}
        options={options}
        onChange={setPerson}
        {...(scope === 'platform' && { onType })}
        isLoading={found.isFetching || colleagues.isFetching}
        none={t('customroles.person_none', { base: t(`customroles.base_${role.baseRole}`) })}
        problem={give.error?.message ?? missing}
        inputRef={required.input}
      />
      <Button
        variant="contained"
        loading={give.isPending}
        onClick={() => required.check() && person && void submit(person).catch(() => undefined)}
        sx={{ alignSelf: 'start' }}
      >
        {t('customroles.give')}
      </Button>
    </Stack>
  );
}
