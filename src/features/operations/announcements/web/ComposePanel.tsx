// Composing an announcement in both languages, with its number of recipients and a preview.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import { useQuery } from '@tanstack/react-query';
import { required } from '#kernel/assert.ts';
import { roles } from '#kernel/roles.ts';
import { OrganizationField } from '#features/access/identity/web/parts.ts';
import { audienceKinds, severities, type Announcement } from '../contract.ts';
import { pairs } from '#platform/web/form/FieldGroup.tsx';
import { FormPanel } from '#platform/web/form/FormPanel.tsx';
import { SelectField } from '#platform/web/form/SelectField.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { announcementsApi, announcementsKey, announcementsQueries } from './api.ts';
import { audienceOf, composeFields, contentOf, fieldsOf, type ComposeFields } from './compose-form.ts';
import { Preview } from './Preview.tsx';
import { ServiceField } from './ServiceField.tsx';

export function ComposePanel({
  announcement,
  onClose,
  onSaved,
}: {
  /** The announcement to change; undefined for a new one. */
  announcement?: Announcement;
  onClose: () => void;
  onSaved: (announcement: Announcement) => void;
}) {
  const { t } = useTranslation('announcements');
  const form = useZodForm(composeFields, fieldsOf(announcement));
  const invalidates = [announcementsKey()];
  const create = useCall(announcementsApi.createAnnouncement, { invalidates });
  const update = useCall(announcementsApi.updateAnnouncement, { invalidates });
  const submit = async (fields: ComposeFields) => {
    const content = contentOf(fields, required(audienceOf(fields), 'the form checked the audience'));
    const saved = announcement
      ? await update.mutateAsync({ announcementId: announcement.id, ...content })
      : await create.mutateAsync(content);
    toast.success(t('announcements.saved'));
    onSaved(saved);
  };
  const typed = form.watch();
  const title = t(announcement ? 'announcements.edit_title' : 'announcements.add');
  return (
    <FormPanel
      form={form}
      title={title}
      width={760}
      submitLabel={t(announcement ? 'announcements.save_change' : 'announcements.save')}
      isEdit={announcement !== undefined}
      onSubmit={submit}
      onClose={onClose}
    >
      <Box sx={pairs}>
        <TextField
          form={form}
          name="titleZh"
          label={t('announcements.subject_zhTW')}
          autoComplete="off"
          required
        />
        <TextField
          form={form}
          name="titleEn"
          label={t('announcements.subject_enUS')}
          autoComplete="off"
          required
        />
        <TextField form={form} name="textZh" label={t('announcements.text_zhTW')} rows={4} required />
        <TextField form={form} name="textEn" label={t('announcements.text_enUS')} rows={4} required />
        {/* used as: 'announcements.severity_*', 'announcements.audience_*', 'announcements.role_*' */}
        <SelectField
          form={form}
          name="severity"
          label={t('announcements.severity')}
          options={severities.map((one) => ({ value: one, label: t(`announcements.severity_${one}`) }))}
        />
        <TextField
          form={form}
          name="link"
          label={t('announcements.link')}
          help={t('announcements.link_help')}
          autoComplete="off"
        />
        <SelectField
          form={form}
          name="kind"
          label={t('announcements.audience')}
          options={audienceKinds.map((one) => ({ value: one, label: t(`announcements.audience_${one}`) }))}
        />
        {typed.kind === 'role' && (
          <SelectField
            form={form}
            name="role"
            label={t('announcements.role')}
            options={roles.map((one) => ({ value: one, label: t(`announcements.role_${one}`) }))}
          />
        )}
        {typed.kind === 'organization' && (
          <OrganizationField
            form={form}
            name="organization"
            label={t('announcements.organization')}
            required
          />
        )}
        {typed.kind === 'service' && (
          <ServiceField
            value={typed.service}
            problem={form.formState.errors.service ? t('announcements.audience_incomplete') : undefined}
            onChange={(service) =>
              form.setValue('service', service, { shouldDirty: true, shouldValidate: true })
            }
          />
        )}
      </Box>
      <People fields={typed} />
      {/* Nothing but ellipses would puzzle. */}
      {[typed.titleZh, typed.textZh, typed.titleEn, typed.textEn].some((each) => each !== '') && (
        <Preview
          words={{
            zhTW: { title: typed.titleZh || '…', text: typed.textZh || '…' },
            enUS: { title: typed.titleEn || '…', text: typed.textEn || '…' },
          }}
          severity={typed.severity}
        />
      )}
    </FormPanel>
  );
}

/** The exact number of users in the selected audience. */
function People({ fields }: { fields: ComposeFields }) {
  const { t } = useTranslation('announcements');
  const format = useFormat();
  const audience = audienceOf(fields);
  const { data } = useQuery({
    ...announcementsQueries.countAudience(audience ?? { kind: 'all' }),
    enabled: audience !== undefined,
  });
  if (!audience || !data) return null;
  return (
    <Alert severity={data.people === 0 ? 'warning' : 'info'} role="status">
      {t('announcements.people', { count: format.number(data.people) })}
    </Alert>
  );
}
