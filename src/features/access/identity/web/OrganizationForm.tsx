// The settings of the user's own organization: data on bills, time zone and language.
import type { Organization } from '../contract.ts';
import { Form } from '#platform/web/form/Form.tsx';
import { UnsavedBar } from '#platform/web/form/UnsavedBar.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { identityApi, identityKey } from './api.ts';
import {
  OrganizationFields,
  organizationSchema,
  ownValuesOf,
  valuesOf,
  type OrganizationValues,
} from './OrganizationFields.tsx';

export function OrganizationForm({ organization }: { organization: Organization }) {
  const { t } = useTranslation('identity');
  const form = useZodForm(organizationSchema, valuesOf(organization));
  // The profile shows the organization's name too.
  const save = useCall(identityApi.updateOrganization, {
    invalidates: [identityKey('organization'), identityKey('profile')],
  });
  const submit = async (values: OrganizationValues) => {
    form.reset(valuesOf(await save.mutateAsync(ownValuesOf(values))));
    toast.success(t('identity.organization_saved'));
  };
  return (
    <Form form={form} onSubmit={submit} label={t('identity.organization_settings')}>
      <OrganizationFields form={form} />
      <UnsavedBar form={form} />
    </Form>
  );
}
