// For Admins: the exports of all organizations, and a form to create one for any of them.
import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod/mini';
import { id } from '#kernel/shape.ts';
import { OrganizationField } from '#features/access/identity/web/parts.ts';
import { Form, SubmitButton } from '#platform/web/form/Form.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { AddButton } from '#platform/web/ui/AddButton.tsx';
import { SidePanel } from '#platform/web/ui/SidePanel.tsx';
import { personalDataApi, personalDataKey, personalDataQueries } from './api.ts';
import { ExportTable, restOf } from './ExportTable.tsx';

const schema = z.strictObject({ organization: z.strictObject({ id: id('org'), name: z.string() }) });
const formId = 'new-export';

export function AllExports() {
  const { t } = useTranslation('personaldata');
  const [isOpen, setIsOpen] = useState(false);
  const query = useQuery({
    ...personalDataQueries.listExports(),
    refetchInterval: ({ state }) => restOf(state.data?.items),
  });
  const stop = useCall(personalDataApi.stopExport, { invalidates: [personalDataKey('listExports')] });
  return (
    <>
      <ExportTable
        query={query}
        lead={t('personaldata.exports_lead')}
        organizations
        action={<AddButton onClick={() => setIsOpen(true)}>{t('personaldata.make_of')}</AddButton>}
        onStop={(exportId) => stop.mutate({ exportId })}
        onTake={(exportId, options) => personalDataApi.downloadExport({ exportId }, options)}
      />
      {isOpen && <NewExport onClose={() => setIsOpen(false)} />}
    </>
  );
}

function NewExport({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('personaldata');
  // Nothing is selected yet: the field's value is null, which the schema rejects.
  const form = useZodForm(schema, {});
  const make = useCall(personalDataApi.makeExport, { invalidates: [personalDataKey('listExports')] });
  return (
    <SidePanel
      open
      title={t('personaldata.make_of')}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <SubmitButton form={form} formId={formId}>
            {t('personaldata.make')}
          </SubmitButton>
        </>
      }
    >
      <Form
        form={form}
        id={formId}
        label={t('personaldata.make_of')}
        onSubmit={async ({ organization }) => {
          await make.mutateAsync({ organizationId: organization.id });
          toast.success(t('personaldata.asked', { name: organization.name }));
          onClose();
        }}
      >
        <OrganizationField
          form={form}
          name="organization"
          label={t('personaldata.organization')}
          help={t('personaldata.make_help')}
          required
        />
      </Form>
    </SidePanel>
  );
}
