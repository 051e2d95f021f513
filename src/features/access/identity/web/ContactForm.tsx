// How the user wants to be notified: by e-mail, by SMS.
import Stack from '@mui/material/Stack';
import * as z from 'zod/mini';
import type { User } from '../contract.ts';
import { Form } from '#platform/web/form/Form.tsx';
import { CheckField } from '#platform/web/form/SelectField.tsx';
import { UnsavedBar } from '#platform/web/form/UnsavedBar.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { identityApi, identityKey } from './api.ts';

const schema = z.strictObject({ emailNotifications: z.boolean(), smsNotifications: z.boolean() });

export function ContactForm({ user }: { user: User }) {
  const { t } = useTranslation('identity');
  const form = useZodForm(schema, valuesOf(user));
  const save = useCall(identityApi.updateProfile, { invalidates: [identityKey('profile')] });
  const submit = async (values: z.output<typeof schema>) => {
    form.reset(valuesOf(await save.mutateAsync(values)));
    toast.success(t('identity.contact_saved'));
  };
  return (
    <Form form={form} onSubmit={submit} label={t('identity.profile_contact')}>
      <Stack sx={{ gap: 1 }}>
        <CheckField
          form={form}
          name="emailNotifications"
          as="switch"
          label={t('identity.email_notifications')}
          help={t('identity.email_notifications_help', { account: user.account })}
        />
        <CheckField
          form={form}
          name="smsNotifications"
          as="switch"
          label={t('identity.sms_notifications')}
          help={
            user.phone === ''
              ? t('identity.sms_needs_phone')
              : t('identity.sms_notifications_help', { phone: user.phone })
          }
        />
      </Stack>
      <UnsavedBar form={form} />
    </Form>
  );
}

const valuesOf = ({ emailNotifications, smsNotifications }: User): z.input<typeof schema> => ({
  emailNotifications,
  smsNotifications,
});
