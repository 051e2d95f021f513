// The part of the profile that users change themselves: name, phone, address, language.
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import * as z from 'zod/mini';
import { allLanguages, isContentLanguage, packOf } from '#kernel/language.ts';
import { language, optionalText, text } from '#kernel/shape.ts';
import type { User } from '../contract.ts';
import { pairs, whole } from '#platform/web/form/FieldGroup.tsx';
import { useAuthStore, sessionUser } from '#platform/web/session/auth-store.ts';
import { Form } from '#platform/web/form/Form.tsx';
import { SelectField } from '#platform/web/form/SelectField.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { UnsavedBar } from '#platform/web/form/UnsavedBar.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { identityApi, identityKey } from './api.ts';
import { OwnPicture } from './OwnPicture.tsx';
import { PersonAvatar } from './PersonAvatar.tsx';

const schema = z.strictObject({
  name: text(120),
  phone: optionalText(40),
  address: optionalText(400),
  language,
});

export function ProfileForm({ user }: { user: User }) {
  const { t } = useTranslation('identity');
  const form = useZodForm(schema, valuesOf(user));
  const save = useCall(identityApi.updateProfile, { invalidates: [identityKey('profile')] });
  const submit = async (values: z.output<typeof schema>) => {
    const changed = await save.mutateAsync(values);
    form.reset(valuesOf(changed));
    useAuthStore.getState().setUser(sessionUser(changed));
    toast.success(t('identity.basic_saved'));
  };
  return (
    <Form form={form} onSubmit={submit} label={t('identity.profile_basic')}>
      <ProfileHeader user={user} />
      <Box sx={pairs}>
        <TextField form={form} name="name" label={t('identity.name')} autoComplete="name" required />
        <TextField
          form={form}
          name="phone"
          label={t('identity.phone')}
          type="tel"
          autoComplete="tel"
          inputMode="tel"
        />
        <Box sx={whole}>
          <TextField
            form={form}
            name="address"
            label={t('identity.address')}
            autoComplete="street-address"
            rows={2}
          />
        </Box>
        {/* used as: 'identity.language_*' */}
        <SelectField
          form={form}
          name="language"
          label={t('identity.language')}
          help={t('identity.language_help')}
          options={allLanguages().map((one) => ({
            value: one,
            label: isContentLanguage(one) ? t(`identity.language_${one}`) : (packOf(one)?.name ?? one),
          }))}
        />
      </Box>
      <UnsavedBar form={form} />
    </Form>
  );
}

/** The picture, the account, and the organization. */
function ProfileHeader({ user }: { user: User }) {
  const { t } = useTranslation('identity');
  return (
    <Box
      sx={{
        display: 'grid',
        gridTemplateColumns: 'auto minmax(0, 1fr)',
        columnGap: 2,
        rowGap: 1,
        marginBottom: 1.5,
      }}
    >
      <Box sx={{ gridRow: { sm: '1 / 3' } }}>
        <PersonAvatar user={user} size={72} />
      </Box>
      <Box sx={{ alignSelf: 'center' }}>
        <Typography sx={{ overflowWrap: 'anywhere', fontWeight: 700 }}>{user.account}</Typography>
        {user.organization !== null && (
          <Typography variant="body2" sx={{ overflowWrap: 'anywhere' }}>
            {user.organization}
          </Typography>
        )}
        {/* An administrator changes it in user management. */}
        {user.role !== 'Admin' && (
          <Typography variant="caption" component="p" color="textSecondary">
            {t('identity.account_fixed')}
          </Typography>
        )}
      </Box>
      {user.role !== 'ReadOnly' && (
        <Box sx={{ gridColumn: { xs: '1 / -1', sm: '2' } }}>
          <OwnPicture user={user} />
        </Box>
      )}
    </Box>
  );
}

const valuesOf = ({ name, phone, address, language }: User): z.input<typeof schema> => ({
  name,
  phone,
  address,
  language,
});
