// Erasing: first select the subject, then preview the effects (ErasureOutlook).
import Button from '@mui/material/Button';
import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import * as z from 'zod/mini';
import { isId, type Id } from '#kernel/ids.ts';
import { id } from '#kernel/shape.ts';
import { OrganizationField } from '#features/access/identity/web/parts.ts';
import { Form, SubmitButton } from '#platform/web/form/Form.tsx';
import { SelectField } from '#platform/web/form/SelectField.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { SidePanel } from '#platform/web/ui/SidePanel.tsx';
import { ErasureOutlook } from './ErasureOutlook.tsx';

const kinds = ['organization', 'person'] as const;
const schema = z
  .strictObject({
    kind: z.enum(kinds),
    organization: z.nullable(z.strictObject({ id: id('org'), name: z.string() })),
    userId: z.string().check(z.trim()),
  })
  .check((context) => {
    const { kind, organization, userId } = context.value;
    if (kind === 'organization' && organization === null)
      context.issues.push({
        code: 'custom',
        input: organization,
        path: ['organization'],
        message: 'personaldata.choose_organization',
      });
    if (kind === 'person' && !isId('usr', userId))
      context.issues.push({
        code: 'custom',
        input: userId,
        path: ['userId'],
        message: 'personaldata.bad_user_id',
      });
  });
const formId = 'erase-whom';
type SubjectId = Id<'org'> | Id<'usr'>;

export function ErasePanel({ onClose }: { readonly onClose: () => void }) {
  const [subjectId, setSubjectId] = useState<SubjectId>();
  return subjectId === undefined ? (
    <WhomPanel onChosen={setSubjectId} onClose={onClose} />
  ) : (
    <ErasureOutlook subjectId={subjectId} onClose={onClose} />
  );
}

function WhomPanel({
  onChosen,
  onClose,
}: {
  readonly onChosen: (subjectId: SubjectId) => void;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation('personaldata');
  const form = useZodForm(schema, { kind: 'organization', organization: null, userId: '' });
  const kind = useWatch({ control: form.control, name: 'kind' });
  return (
    <SidePanel
      open
      title={t('personaldata.erase')}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <SubmitButton form={form} formId={formId}>
            {t('personaldata.preview')}
          </SubmitButton>
        </>
      }
    >
      <Form
        form={form}
        id={formId}
        label={t('personaldata.erase')}
        onSubmit={async ({ organization, userId }) => {
          if (kind === 'organization' && organization) onChosen(organization.id);
          if (kind === 'person' && isId('usr', userId)) onChosen(userId);
        }}
      >
        <SelectField
          form={form}
          name="kind"
          label={t('personaldata.erase_kind')}
          // used as: 'personaldata.erase_kind_*'
          options={kinds.map((value) => ({ value, label: t(`personaldata.erase_kind_${value}`) }))}
        />
        {kind === 'organization' ? (
          <OrganizationField
            form={form}
            name="organization"
            label={t('personaldata.organization')}
            required
          />
        ) : (
          <TextField
            form={form}
            name="userId"
            label={t('personaldata.user_id')}
            help={t('personaldata.user_id_help')}
            required
          />
        )}
      </Form>
    </SidePanel>
  );
}
