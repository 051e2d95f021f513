// Changes a user: name, phone, role, organization and status; an Admin cannot change their own role and
// status.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { useWatch } from 'react-hook-form';
import type * as z from 'zod/mini';
import { roles, type Role } from '#kernel/roles.ts';
import { userStatuses, type User } from '../contract.ts';
import { useAuthStore } from '#platform/web/session/auth-store.ts';
import { Form, SubmitButton } from '#platform/web/form/Form.tsx';
import { SelectField } from '#platform/web/form/SelectField.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { Moment } from '#platform/web/ui/Money.tsx';
import { SidePanel } from '#platform/web/ui/SidePanel.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { identityApi, identityKey } from './api.ts';
import { OrganizationField } from './OrganizationPicker.tsx';
import { PersonAvatar } from './PersonAvatar.tsx';
import { changedUserFields } from './user-fields.ts';
import { UserChanges } from './UserChanges.tsx';
import { UserSessions } from './UserSessions.tsx';

const formId = 'edit-user';

/** A user who is not deleted. */
export type StandingUser = User & { readonly status: (typeof userStatuses)[number] };
export const isStanding = (user: User): user is StandingUser => user.status !== 'deleted';

type UserEditProps = {
  readonly user: StandingUser;
  readonly onClose: () => void;
  readonly actions?: ReactNode;
  readonly ending?: ReactNode;
  readonly pagesOf: (role: Role) => readonly string[];
};

export function UserEdit({ user, onClose, actions, ending, pagesOf }: UserEditProps) {
  const { t } = useTranslation('identity');
  const isSelf = useAuthStore((auth) => auth.user?.id) === user.id;
  const form = useZodForm(changedUserFields, valuesOf(user));
  const change = useCall(identityApi.updateUser, {
    invalidates: [identityKey('listUsers'), identityKey('getUser')],
  });
  const [name, phone, role, organization, status] = useWatch({
    control: form.control,
    name: ['name', 'phone', 'role', 'organization', 'status'],
  });
  const endsSessions = !isSelf && (role !== user.role || status !== user.status);
  const submit = async ({ organization, ...fields }: z.output<typeof changedUserFields>) => {
    await change.mutateAsync({
      userId: user.id,
      ...fields,
      ...(fields.role !== 'Admin' && organization && { organizationId: organization.id }),
    });
    toast.success(t('identity.user_changed', { name: fields.name }));
    onClose();
  };
  return (
    <SidePanel
      open
      title={t('identity.user_edit')}
      onClose={onClose}
      unsaved={form.formState.isDirty}
      footer={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <SubmitButton form={form} formId={formId}>
            {t('ui.save')}
          </SubmitButton>
        </>
      }
    >
      <Stack sx={{ gap: 3 }}>
        <UserFacts user={user} />
        {isSelf && <Alert severity="info">{t('identity.user_self_protected')}</Alert>}
        <Form form={form} onSubmit={submit} onUnchanged={onClose} id={formId} label={t('identity.user_edit')}>
          <Box sx={{ display: 'grid', gap: 1.5 }}>
            <TextField form={form} name="name" label={t('identity.name')} autoComplete="off" required />
            <TextField
              form={form}
              name="phone"
              label={t('identity.phone')}
              type="tel"
              inputMode="tel"
              autoComplete="off"
            />
            <SelectField
              form={form}
              name="role"
              label={t('identity.role')}
              help={t(`identity.role_help_${role}`)}
              disabled={isSelf}
              options={roles.map((one) => ({ value: one, label: t(`identity.role_${one}`) }))}
            />
            {role !== 'Admin' && (
              <OrganizationField
                form={form}
                name="organization"
                label={t('identity.user_organization')}
                required
              />
            )}
            <SelectField
              form={form}
              name="status"
              label={t('identity.status')}
              disabled={isSelf}
              options={userStatuses.map((one) => ({ value: one, label: t(`identity.status_${one}`) }))}
            />
          </Box>
          <UserChanges user={user} typed={{ name, phone, role, organization, status }} pagesOf={pagesOf} />
          {endsSessions && <Alert severity="warning">{t('identity.user_change_ends_sessions')}</Alert>}
        </Form>
        {!isSelf && actions}
        <UserSessions user={user} />
        {!isSelf && ending}
      </Stack>
    </SidePanel>
  );
}

export function UserFacts({ user }: { user: User }) {
  const { t } = useTranslation('identity');
  const format = useFormat();
  return (
    <Stack sx={{ gap: 2 }}>
      <Stack direction="row" sx={{ gap: 1.5, alignItems: 'center', minWidth: 0 }}>
        <PersonAvatar user={user} size={48} />
        <Typography variant="subtitle1" component="p" sx={{ overflowWrap: 'anywhere' }}>
          {user.name}
        </Typography>
      </Stack>
      <Facts
        items={[
          [t('identity.account'), user.account],
          [t('identity.registered_on'), format.dayTable(user.registeredOn)],
          [
            t('identity.last_sign_in'),
            user.lastSignInAt ? (
              <Moment key="seen" at={user.lastSignInAt} as="dateTime" />
            ) : (
              t('identity.never_signed_in')
            ),
          ],
          [
            t('identity.two_factor'),
            t(user.twoFactor ? 'identity.two_factor_on' : 'identity.two_factor_off'),
          ],
        ]}
      />
    </Stack>
  );
}

const valuesOf = ({
  name,
  phone,
  role,
  organizationId,
  organization,
  status,
}: StandingUser): z.input<typeof changedUserFields> => ({
  name,
  phone,
  role,
  status,
  organization: organizationId === null ? null : { id: organizationId, name: organization ?? organizationId },
});
