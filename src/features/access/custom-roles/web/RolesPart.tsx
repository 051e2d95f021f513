// The custom roles of the platform, or of the user's organization: created, changed, deleted, and assigned to
// people.
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { keyAreas, permissionVerbs } from '#kernel/permissions.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { ConfirmDialog } from '#platform/web/ui/ConfirmDialog.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { FullTable } from '#platform/web/ui/FullTable.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import type { RowAction } from '#platform/web/ui/RowMenu.tsx';
import type { CustomRole } from '../contract.ts';
import { rolesApi, rolesKey, rolesQueries } from './api.ts';
import { RolePanel } from './RolePanel.tsx';
import { RolePeople } from './RolePeople.tsx';
import type { RoleScope } from './role-scope.ts';

type Opened =
  | { readonly what: 'form'; readonly role: CustomRole | undefined }
  | { readonly what: 'people' | 'delete'; readonly role: CustomRole };

export function RolesPart({ scope }: { readonly scope: RoleScope }) {
  const { t } = useTranslation('customroles');
  const [opened, setOpened] = useState<Opened>();
  const platform = useQuery({ ...rolesQueries.listRoles({}), enabled: scope === 'platform' });
  const own = useQuery({ ...rolesQueries.listOwnRoles({}), enabled: scope === 'own' });
  const close = () => setOpened(undefined);
  // used as: 'customroles.lead_*'
  const actions = (role: CustomRole): readonly RowAction[] => [
    { label: t('customroles.manage'), onClick: () => setOpened({ what: 'people', role }) },
    // Organizations can assign the platform's roles, but only Admins can change them.
    ...(scope === 'platform' || role.organizationId !== null
      ? [
          { label: t('customroles.edit'), onClick: () => setOpened({ what: 'form' as const, role }) },
          {
            label: t('customroles.delete'),
            danger: true,
            onClick: () => setOpened({ what: 'delete' as const, role }),
          },
        ]
      : []),
  ];
  return (
    <>
      <FullTable
        title={t('customroles.title')}
        lead={t(`customroles.lead_${scope}`)}
        actions={
          <Button
            aria-haspopup="dialog"
            variant="outlined"
            onClick={() => setOpened({ what: 'form', role: undefined })}
          >
            {t('customroles.add')}
          </Button>
        }
        query={scope === 'platform' ? platform : own}
        columns={useColumns(scope)}
        rowKey={(role) => role.id}
        rowName={(role) => role.name}
        rowActions={actions}
        onRowClick={(role) => setOpened({ what: 'people', role })}
        empty={<EmptyState compact title={t('customroles.empty')} />}
      />
      {opened?.what === 'form' && <RolePanel scope={scope} role={opened.role} onClose={close} />}
      {opened?.what === 'people' && <RolePeople scope={scope} role={opened.role} onClose={close} />}
      {opened?.what === 'delete' && <DeleteRole scope={scope} role={opened.role} onClose={close} />}
    </>
  );
}

function useColumns(scope: RoleScope): readonly Column<CustomRole>[] {
  const { t } = useTranslation('customroles');
  const format = useFormat();
  return [
    {
      key: 'name',
      label: t('customroles.name'),
      card: 'title',
      render: ({ name, description }) => (
        <>
          {name}
          {description !== '' && (
            <Typography variant="caption" component="p" color="textSecondary">
              {description}
            </Typography>
          )}
        </>
      ),
    },
    // used as: 'customroles.base_*'
    {
      key: 'base',
      label: t('customroles.base'),
      render: ({ baseRole }) => (
        <Box component="span" sx={{ whiteSpace: 'nowrap' }}>
          {t(`customroles.base_${baseRole}`)}
        </Box>
      ),
    },
    {
      key: 'permissions',
      label: t('customroles.permissions'),
      render: (role) => <PermissionText permissions={role.permissions} />,
    },
    scope === 'platform'
      ? {
          key: 'people',
          label: t('customroles.people'),
          align: 'right',
          render: ({ people }) => format.number(people),
        }
      : {
          key: 'belongs',
          label: t('customroles.belongs'),
          render: ({ organization }) => organization ?? t('customroles.belongs_platform'),
        },
  ];
}

/** "Read: usage, billing" and "Write: …", one per line. */
function PermissionText({ permissions }: Pick<CustomRole, 'permissions'>) {
  const { t } = useTranslation('customroles');
  const { t: area } = useTranslation('identity');
  const format = useFormat();
  // used as: 'customroles.permission_*', 'identity.area_*'
  return permissionVerbs.flatMap((verb) => {
    const areas = keyAreas.filter((one) => permissions.includes(`${one}:${verb}`));
    return areas.length === 0
      ? []
      : [
          <Typography key={verb} variant="body2" component="p">
            {t(`customroles.permission_${verb}`, {
              areas: format.list(areas.map((one) => area(`identity.area_${one}`))),
            })}
          </Typography>,
        ];
  });
}

function DeleteRole({
  scope,
  role: { id: roleId, name },
  onClose,
}: {
  readonly scope: RoleScope;
  readonly role: CustomRole;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation('customroles');
  const remove = useCall(scope === 'platform' ? rolesApi.deleteRole : rolesApi.deleteOwnRole, {
    invalidates: [rolesKey()],
    onSuccess: () => toast.success(t('customroles.deleted', { name })),
  });
  return (
    <ConfirmDialog
      open
      title={t('customroles.delete_ask', { name })}
      consequences={[t('customroles.delete_effect')]}
      confirmLabel={t('customroles.delete')}
      tone="danger"
      onConfirm={() => remove.mutateAsync({ roleId })}
      onClose={onClose}
    />
  );
}
