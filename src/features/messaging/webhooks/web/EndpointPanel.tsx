// Adds an endpoint, whose secret is then shown only once, or changes one.
import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormControl from '@mui/material/FormControl';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormHelperText from '@mui/material/FormHelperText';
import FormLabel from '@mui/material/FormLabel';
import { useState } from 'react';
import * as z from 'zod/mini';
import { optionalText, text } from '#kernel/shape.ts';
import { eventTypes, type Endpoint, type EventType } from '../contract.ts';
import { FormPanel } from '#platform/web/form/FormPanel.tsx';
import { SelectField } from '#platform/web/form/SelectField.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { webhooksApi, webhooksKey } from './api.ts';
import { SecretHandOver } from './SecretHandOver.tsx';

const fields = z
  .strictObject({
    url: text(2000),
    description: optionalText(120),
    which: z.enum(['all', 'chosen']),
    types: z.array(z.enum(eventTypes)),
  })
  .check(
    z.refine(({ which, types }) => which === 'all' || types.length > 0, {
      path: ['types'],
      message: 'webhooks.events_none',
    }),
  );

export function EndpointPanel({
  endpoint,
  onClose,
}: {
  /** The endpoint to change; without it a new one is added. */
  endpoint?: Endpoint;
  onClose: () => void;
}) {
  const { t } = useTranslation('webhooks');
  const [made, setMade] = useState<{ readonly endpoint: Endpoint; readonly secret: string }>();
  const form = useZodForm(fields, {
    url: endpoint?.url ?? '',
    description: endpoint?.description ?? '',
    which: endpoint?.eventTypes ? 'chosen' : 'all',
    types: endpoint?.eventTypes ?? [],
  });
  const invalidates = [webhooksKey()];
  const create = useCall(webhooksApi.createEndpoint, { invalidates });
  const update = useCall(webhooksApi.updateEndpoint, { invalidates });
  const submit = async ({ url, description, which, types }: z.output<typeof fields>) => {
    const change = { url, description, eventTypes: which === 'all' ? null : types };
    if (!endpoint) return setMade(await create.mutateAsync(change));
    await update.mutateAsync({ endpointId: endpoint.id, ...change });
    toast.success(t('webhooks.saved'));
    onClose();
  };
  if (made)
    return (
      <SecretHandOver
        secret={made.secret}
        title={t('webhooks.created_title')}
        news={[t('webhooks.created', { url: made.endpoint.url })]}
        onClose={onClose}
      />
    );
  const title = t(endpoint ? 'webhooks.edit_title' : 'webhooks.add');
  const [which, types] = form.watch(['which', 'types']);
  return (
    <FormPanel
      form={form}
      title={title}
      width={560}
      submitLabel={t(endpoint ? 'webhooks.save' : 'webhooks.create')}
      isEdit={endpoint !== undefined}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        form={form}
        name="url"
        label={t('webhooks.url')}
        help={t('webhooks.url_help')}
        autoComplete="off"
        required
      />
      <TextField
        form={form}
        name="description"
        label={t('webhooks.description')}
        help={t('webhooks.description_help')}
        autoComplete="off"
      />
      <SelectField
        form={form}
        name="which"
        label={t('webhooks.events')}
        options={[
          { value: 'all', label: t('webhooks.events_everything') },
          { value: 'chosen', label: t('webhooks.events_chosen') },
        ]}
      />
      {which === 'chosen' && (
        <Types
          chosen={types}
          problem={form.formState.errors.types?.message}
          onChange={(next) => form.setValue('types', [...next], { shouldDirty: true, shouldValidate: true })}
        />
      )}
    </FormPanel>
  );
}

function Types({
  chosen,
  problem,
  onChange,
}: {
  chosen: readonly EventType[];
  problem: unknown;
  onChange: (chosen: readonly EventType[]) => void;
}) {
  const { t } = useTranslation('webhooks');
  return (
    <FormControl component="fieldset" error={problem !== undefined}>
      <FormLabel component="legend" sx={{ fontSize: '0.875rem', marginBottom: 0.5 }}>
        {t('webhooks.events_chosen')}
      </FormLabel>
      <Box
        sx={{
          display: 'grid',
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' },
        }}
      >
        {eventTypes.map((type) => (
          <FormControlLabel
            key={type}
            control={
              <Checkbox
                size="small"
                checked={chosen.includes(type)}
                onChange={(_, isOn) =>
                  onChange(isOn ? [...chosen, type] : chosen.filter((one) => one !== type))
                }
              />
            }
            label={type}
            slotProps={{ typography: { sx: { fontFamily: 'monospace', fontSize: '0.8125rem' } } }}
          />
        ))}
      </Box>
      {problem !== undefined && <FormHelperText>{t('webhooks.events_none')}</FormHelperText>}
    </FormControl>
  );
}
