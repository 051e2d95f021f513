// Makes an API key and shows its secret, this once, with a command that uses it.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import * as z from 'zod/mini';
import { keyScopes, type Out } from '#kernel/contract.ts';
import { text } from '#kernel/shape.ts';
import type { identity } from '#features/identity/contract.ts';
import { nowMs } from '#platform/web/clock.ts';
import { Form, SubmitButton } from '#platform/web/form/Form.tsx';
import { SelectField } from '#platform/web/form/SelectField.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useCall } from '#platform/web/queries.ts';
import { CodeBlock } from '#platform/web/ui/CodeBlock.tsx';
import { Secret } from '#platform/web/ui/Secret.tsx';
import { SidePanel } from '#platform/web/ui/SidePanel.tsx';
import { identityApi, identityKey } from './api.ts';
import { OrganizationField } from './OrganizationPicker.tsx';
import { useIdentityTexts } from './texts.ts';
import { usageExample } from './usage-example.ts';
import { chosenOrganization } from './user-fields.ts';

const expiries = ['never', '30', '90', '365'] as const;
const dayMs = 86_400_000;
const schema = z.strictObject({ name: text(120), scope: z.enum(keyScopes), organization: chosenOrganization, expiry: z.enum(expiries) });
const formId = 'new-key';
type Made = Out<typeof identity.createApiKey>;

export function ApiKeyCreate({ onClose }: { onClose: () => void }) {
  const t = useIdentityTexts();
  const [made, setMade] = useState<Made>();
  const form = useZodForm(schema, { name: '', scope: 'metering', organization: null, expiry: 'never' });
  const scope = useWatch({ control: form.control, name: 'scope' });
  const create = useCall(identityApi.createApiKey, { invalidates: [identityKey('listApiKeys')] });
  const submit = async ({ name, scope: chosen, organization, expiry }: z.output<typeof schema>) => {
    const expiresAt = expiry === 'never' ? undefined : new Date(nowMs() + Number.parseInt(expiry, 10) * dayMs);
    setMade(await create.mutateAsync({ name, scope: chosen, ...(organization && { organizationId: organization.id }), ...(expiresAt && { expiresAt }) }));
  };
  if (made) return <HandOver made={made} onClose={onClose} />;
  return (
    <SidePanel
      open
      title={t('identity.key_add')}
      onClose={onClose}
      unsaved={form.formState.isDirty}
      footer={<><Button onClick={onClose}>{t('ui.cancel')}</Button><SubmitButton form={form} formId={formId} size="medium">{t('identity.key_make')}</SubmitButton></>}
    >
      <Form form={form} onSubmit={submit} id={formId} label={t('identity.key_add')}>
        <Box sx={{ display: 'grid', gap: 1.5 }}>
          <TextField form={form} name="name" label={t('identity.key_name')} help={t('identity.key_name_help')} autoComplete="off" required />
          <SelectField form={form} name="scope" label={t('identity.key_scope')} help={t(`identity.scope_help_${scope}`)} options={keyScopes.map((one) => ({ value: one, label: t(`identity.scope_${one}`) }))} />
          <OrganizationField form={form} name="organization" label={t('identity.user_organization')} help={t('identity.key_organization_help')} />
          {/* used as: 'identity.expiry_*' */}
          <SelectField form={form} name="expiry" label={t('identity.key_expires')} options={expiries.map((one) => ({ value: one, label: t(`identity.expiry_${one}`) }))} />
        </Box>
      </Form>
    </SidePanel>
  );
}

function HandOver({ made, onClose }: { made: Made; onClose: () => void }) {
  const t = useIdentityTexts();
  return (
    <SidePanel open title={t('identity.key_made_title')} onClose={onClose} width={600} footer={<Button variant="contained" onClick={onClose}>{t('ui.done')}</Button>}>
      <Stack sx={{ gap: 3 }}>
        <Alert severity="success">{t('identity.key_made', { name: made.key.name })}</Alert>
        <Box>
          <Typography variant="subtitle2" component="p" sx={{ marginBottom: 0.5 }}>{t('identity.key_secret')}</Typography>
          <Secret text={made.secret} label={t('identity.copy_key')} />
          <Typography variant="body2" color="textSecondary" sx={{ marginTop: 1 }}>{t('identity.key_once')}</Typography>
        </Box>
        {made.key.scope === 'metering' && (
          <Box>
            <Typography variant="subtitle2" component="p" sx={{ marginBottom: 0.5 }}>{t('identity.key_usage')}</Typography>
            <CodeBlock code={usageExample(made.secret)} label={t('identity.copy_example')} />
          </Box>
        )}
      </Stack>
    </SidePanel>
  );
}
