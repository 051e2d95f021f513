// The pages that may frame the portal.
import Box from '@mui/material/Box';
import { useQuery } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { Form, SubmitButton } from '#platform/web/form/Form.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { typedList } from '#platform/web/form/typed-list.ts';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { mostOrigins, type PortalSettings } from '../contract.ts';
import { portalApi, portalKey, portalQueries } from './api.ts';

const schema = z.strictObject({ origins: z.string().check(z.maxLength(201 * mostOrigins)) });

export function OriginsSection() {
  const { t } = useTranslation('portal');
  // Not refetched on focus, because the answer could overwrite the Admin's input.
  const query = useQuery({ ...portalQueries.getSettings(), refetchOnWindowFocus: false });
  return (
    <Section title={t('portal.settings_title')} lead={t('portal.settings_lead')}>
      <QueryState query={query} skeleton={<Lines count={3} />}>
        {(settings) => <OriginsForm key={settings.origins.join()} settings={settings} />}
      </QueryState>
    </Section>
  );
}

function OriginsForm({ settings: { origins } }: { readonly settings: PortalSettings }) {
  const { t } = useTranslation('portal');
  const form = useZodForm(schema, { origins: origins.join('\n') });
  const save = useCall(portalApi.saveSettings, { invalidates: [portalKey('getSettings')] });
  return (
    <Form
      form={form}
      label={t('portal.settings_title')}
      onSubmit={async (typed) => {
        await save.mutateAsync({ origins: typedList(typed.origins) });
        toast.success(t('portal.saved'));
      }}
    >
      <Box sx={{ maxWidth: 720 }}>
        <TextField
          form={form}
          name="origins"
          label={t('portal.origins')}
          help={t('portal.origins_help')}
          autoComplete="off"
          rows={3}
        />
      </Box>
      <Box sx={{ marginTop: 2 }}>
        <SubmitButton form={form}>{t('portal.save')}</SubmitButton>
      </Box>
    </Form>
  );
}
