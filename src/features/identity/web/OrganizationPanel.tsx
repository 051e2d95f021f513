// The panel beside the list of organizations: what stands on its bills, and how it is taxed from the next one on.
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useWatch } from 'react-hook-form';
import * as z from 'zod/mini';
import type { Id } from '#kernel/ids.ts';
import { taxStatuses, type Organization } from '#features/identity/contract.ts';
import { Form, SubmitButton } from '#platform/web/form/Form.tsx';
import { SelectField } from '#platform/web/form/SelectField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useCall } from '#platform/web/queries.ts';
import { toast } from '#platform/web/toasts.ts';
import { CopyButton } from '#platform/web/ui/CopyButton.tsx';
import { ErrorState } from '#platform/web/ui/ErrorState.tsx';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { Moment } from '#platform/web/ui/Money.tsx';
import { Lines } from '#platform/web/ui/QueryState.tsx';
import { SidePanel } from '#platform/web/ui/SidePanel.tsx';
import { identityApi, identityKey, identityQueries } from './api.ts';
import { useIdentityTexts } from './texts.ts';

const formId = 'organization-tax';
const schema = z.strictObject({ taxStatus: z.enum(taxStatuses) });

/** `above` is what other columns say of the organization. */
// used as: 'identity.tax_status_*', 'identity.tax_status_help_*'
export function OrganizationPanel({ organizationId, onClose, above }: { organizationId: Id<'org'>; onClose: () => void; above?: ReactNode }) {
  const t = useIdentityTexts();
  const query = useQuery(identityQueries.adminOrganization({ organizationId }));
  if (query.data) return <Loaded organization={query.data} onClose={onClose} above={above} />;
  return (
    <SidePanel open title={t('identity.organization')} onClose={onClose}>
      {query.error ? <ErrorState error={query.error} onRetry={() => void query.refetch()} /> : <Lines count={6} />}
    </SidePanel>
  );
}

function Loaded({ organization, onClose, above }: { organization: Organization; onClose: () => void; above: ReactNode }) {
  const t = useIdentityTexts();
  const form = useZodForm(schema, { taxStatus: organization.taxStatus });
  const change = useCall(identityApi.setTaxStatus, { invalidates: [identityKey('listOrganizations'), identityKey('adminOrganization')] });
  const chosen = useWatch({ control: form.control, name: 'taxStatus' });
  const submit = async ({ taxStatus }: z.output<typeof schema>) => {
    await change.mutateAsync({ organizationId: organization.id, taxStatus });
    toast.success(t('identity.tax_status_saved', { name: organization.name }));
    onClose();
  };
  return (
    <SidePanel
      open
      title={organization.name}
      onClose={onClose}
      unsaved={form.formState.isDirty}
      footer={<><Button onClick={onClose}>{t('ui.cancel')}</Button><SubmitButton form={form} formId={formId} size="medium" disabled={!form.formState.isDirty}>{t('ui.save')}</SubmitButton></>}
    >
      <Stack sx={{ gap: 3 }}>
        {above}
        <OrganizationFacts organization={organization} />
        <Form form={form} onSubmit={submit} id={formId} label={t('identity.tax_status')}>
          <SelectField form={form} name="taxStatus" label={t('identity.tax_status')} help={t(`identity.tax_status_help_${chosen}`)} options={taxStatuses.map((one) => ({ value: one, label: t(`identity.tax_status_${one}`) }))} />
          {chosen !== organization.taxStatus && <Alert severity="info">{t('identity.tax_status_from')}</Alert>}
        </Form>
      </Stack>
    </SidePanel>
  );
}

function OrganizationFacts({ organization }: { organization: Organization }) {
  const t = useIdentityTexts();
  const { billingAddress, billingEmail, billingReference, createdAt, externalRef, id, language, purchaseOrder, taxId, timeZone } = organization;
  return (
    <Facts
      items={[
        [t('identity.organization_id'), <Stack key="id" direction="row" sx={{ alignItems: 'center', gap: 0.5, minWidth: 0, overflowWrap: 'anywhere' }}>{id}<CopyButton text={id} label={t('identity.copy_organization_id')} /></Stack>],
        [t('identity.tax_id'), taxId || '–'],
        [t('identity.billing_email'), billingEmail || '–'],
        [t('identity.billing_address'), billingAddress || '–'],
        [t('identity.purchase_order'), purchaseOrder || '–'],
        [t('identity.billing_reference'), billingReference || '–'],
        [t('identity.time_zone'), timeZone],
        [t('identity.language'), t(`identity.language_${language}`)],
        [t('identity.external_ref'), externalRef ?? '–'],
        [t('identity.created_at'), <Moment key="made" at={createdAt} />],
      ]}
    />
  );
}
