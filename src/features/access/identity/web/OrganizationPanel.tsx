// The panel next to the list of organizations: facts from other features, the data on its bills, and its tax
// treatment.
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Id } from '#kernel/ids.ts';
import type { Organization } from '../contract.ts';
import { Form, SubmitButton } from '#platform/web/form/Form.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { CopyButton } from '#platform/web/ui/CopyButton.tsx';
import { ErrorState } from '#platform/web/ui/ErrorState.tsx';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { Moment } from '#platform/web/ui/Money.tsx';
import { Lines } from '#platform/web/ui/QueryState.tsx';
import { SidePanel } from '#platform/web/ui/SidePanel.tsx';
import { identityApi, identityKey, identityQueries } from './api.ts';
import {
  OrganizationFields,
  organizationSchema,
  PlaceFields,
  TaxField,
  valuesOf,
  type OrganizationValues,
} from './OrganizationFields.tsx';

const formId = 'organization-settings';

type PanelProps = {
  readonly onClose: () => void;
  /** Called after a change, because other features' lists may show the old name. */
  readonly onSaved: () => unknown;
  /** Facts of the organization from other features. */
  readonly above: ReactNode;
};

export function OrganizationPanel({ organizationId, ...rest }: { organizationId: Id<'org'> } & PanelProps) {
  const { t } = useTranslation('identity');
  const query = useQuery(identityQueries.adminOrganization({ organizationId }));
  if (query.data) return <Loaded organization={query.data} {...rest} />;
  return (
    <SidePanel open title={t('identity.organization')} onClose={rest.onClose}>
      {query.error ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <Lines count={6} />
      )}
    </SidePanel>
  );
}

function Loaded({ organization, onClose, onSaved, above }: { organization: Organization } & PanelProps) {
  const { t } = useTranslation('identity');
  const form = useZodForm(organizationSchema, valuesOf(organization));
  const change = useCall(identityApi.adminUpdateOrganization, {
    invalidates: [identityKey('listOrganizations'), identityKey('adminOrganization')],
  });
  const { dirtyFields, isDirty } = form.formState;
  const submit = async (values: OrganizationValues) => {
    // Only changed fields are sent: a member of the organization may have changed the rest meanwhile.
    const changes = Object.fromEntries(Object.entries(values).filter(([field]) => field in dirtyFields));
    const saved = await change.mutateAsync({ organizationId: organization.id, ...changes });
    form.reset(valuesOf(saved));
    onSaved();
    toast.success(t('identity.organization_saved_of', { name: saved.name }));
  };
  return (
    <SidePanel
      open
      title={organization.name}
      onClose={onClose}
      unsaved={isDirty}
      footer={
        <>
          <Button onClick={onClose}>{t(isDirty ? 'ui.cancel' : 'ui.close')}</Button>
          <SubmitButton form={form} formId={formId}>
            {t('ui.save')}
          </SubmitButton>
        </>
      }
    >
      <Stack sx={{ gap: 3 }}>
        {above}
        <Stack component="section" sx={{ gap: 2.5 }}>
          <Typography variant="h3">{t('identity.organization_settings')}</Typography>
          <OrganizationFacts organization={organization} />
          <Form
            form={form}
            onSubmit={submit}
            onUnchanged={onClose}
            id={formId}
            label={t('identity.organization_settings')}
          >
            <OrganizationFields form={form} />
            <PlaceFields form={form} />
            <TaxField form={form} stored={organization.taxStatus} />
          </Form>
        </Stack>
      </Stack>
    </SidePanel>
  );
}

function OrganizationFacts({ organization }: { organization: Organization }) {
  const { t } = useTranslation('identity');
  const { createdAt, externalRef, id } = organization;
  return (
    <Facts
      items={[
        [
          t('identity.organization_id'),
          <Stack
            key="id"
            direction="row"
            sx={{ alignItems: 'center', gap: 0.5, minWidth: 0, overflowWrap: 'anywhere' }}
          >
            {id}
            <CopyButton text={id} label={t('identity.copy_organization_id')} />
          </Stack>,
        ],
        [t('identity.external_ref'), externalRef ?? '–'],
        [t('identity.created_at'), <Moment key="made" at={createdAt} />],
      ]}
    />
  );
}
