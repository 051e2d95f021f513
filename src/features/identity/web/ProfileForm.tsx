// The part of the profile that a person changes themself.
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import * as z from 'zod/mini';
import { languages } from '#kernel/language.ts';
import { optionalText, text } from '#kernel/shape.ts';
import type { User } from '#features/identity/contract.ts';
import { useAuthStore, sessionUser } from '#platform/web/auth-store.ts';
import { Form } from '#platform/web/form/Form.tsx';
import { CheckField, SelectField } from '#platform/web/form/SelectField.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { UnsavedBar } from '#platform/web/form/UnsavedBar.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useCall } from '#platform/web/queries.ts';
import { toast } from '#platform/web/toasts.ts';
import { identityApi, identityKey } from './api.ts';
import { useIdentityTexts } from './texts.ts';

const schema = z.strictObject({
  name: text(120),
  phone: optionalText(40),
  address: optionalText(400),
  language: z.enum(languages),
  emailNotifications: z.boolean(),
  smsNotifications: z.boolean(),
});

export function ProfileForm({ user }: { user: User }) {
  const t = useIdentityTexts();
  const form = useZodForm(schema, valuesOf(user));
  const save = useCall(identityApi.updateProfile, { invalidates: [identityKey('profile')] });
  const submit = async (values: z.output<typeof schema>) => {
    const changed = await save.mutateAsync(values);
    form.reset(valuesOf(changed));
    useAuthStore.getState().setUser(sessionUser(changed));
    toast.success(t('identity.profile_saved'));
  };
  return (
    <Form form={form} onSubmit={submit}>
      <Box sx={{ display: 'grid', columnGap: 2, rowGap: 1, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } }}>
        <TextField form={form} name="name" label={t('identity.name')} autoComplete="name" required />
        <TextField form={form} name="phone" label={t('identity.phone')} type="tel" autoComplete="tel" inputMode="tel" />
        <Box sx={{ gridColumn: { sm: '1 / -1' } }}><TextField form={form} name="address" label={t('identity.address')} autoComplete="street-address" rows={2} /></Box>
        {/* used as: 'identity.language_*' */}
        <SelectField form={form} name="language" label={t('identity.language')} help={t('identity.language_help')} options={languages.map((one) => ({ value: one, label: t(`identity.language_${one}`) }))} />
        <Box>
          <Typography variant="body2" color="textSecondary">{t('identity.account')}</Typography>
          <Typography sx={{ overflowWrap: 'anywhere' }}>{user.account}</Typography>
          <Typography variant="caption" color="textSecondary">{t('identity.account_fixed')}</Typography>
        </Box>
      </Box>
      <Box component="fieldset" sx={{ border: 0, padding: 0, margin: 0, display: 'grid' }}>
        <Typography component="legend" variant="subtitle2">{t('identity.profile_contact')}</Typography>
        <CheckField form={form} name="emailNotifications" as="switch" label={t('identity.email_notifications')} />
        <CheckField form={form} name="smsNotifications" as="switch" label={t('identity.sms_notifications')} />
      </Box>
      <UnsavedBar form={form} />
    </Form>
  );
}

const valuesOf = ({ name, phone, address, language, emailNotifications, smsNotifications }: User): z.input<typeof schema> =>
  ({ name, phone, address, language, emailNotifications, smsNotifications });
