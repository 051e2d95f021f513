// Confirms a waiting machine: the code that it shows, the permissions that it requests, and those that the
// person grants.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import * as z from 'zod/mini';
import { KeyPermissions } from '#features/access/identity/web/parts.ts';
import { permissions as everyPermission } from '#kernel/permissions.ts';
import { Form, SubmitButton } from '#platform/web/form/Form.tsx';
import { CheckField, SelectField } from '#platform/web/form/SelectField.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { useParam } from '#platform/web/routing/use-param.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { Moment } from '#platform/web/ui/Money.tsx';
import { Page } from '#platform/web/ui/Page.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { keyDays, type DeviceRequest } from '../contract.ts';
import { shownUserCode } from '../rules.ts';
import { devicesApi } from './api.ts';

type Step =
  | { readonly at: 'code' }
  | { readonly at: 'ask'; readonly userCode: string; readonly device: DeviceRequest }
  | { readonly at: 'confirmed' | 'refused'; readonly name: string };

export function DeviceScreen() {
  const { t } = useTranslation('devices');
  const [given, setGiven] = useParam('code');
  const [step, setStep] = useState<Step>({ at: 'code' });
  const begin = () => {
    setGiven(undefined);
    setStep({ at: 'code' });
  };
  return (
    <Page title={t('devices.title')} lead={step.at === 'code' ? t('devices.lead') : undefined} width="form">
      {step.at === 'code' ? (
        <CodeForm given={given ?? ''} onFound={(found) => setStep({ at: 'ask', ...found })} />
      ) : step.at === 'ask' ? (
        <Request key={step.userCode} {...step} onDone={setStep} />
      ) : (
        <Alert
          severity={step.at === 'confirmed' ? 'success' : 'info'}
          role="status"
          action={
            <Button color="inherit" size="small" onClick={begin}>
              {t('devices.another')}
            </Button>
          }
        >
          {/* used as: 'devices.confirmed', 'devices.refused' */}
          {t(`devices.${step.at}`, { name: step.name })}
        </Alert>
      )}
    </Page>
  );
}

const codeFields = z.strictObject({
  userCode: z.string().check(z.trim(), z.minLength(1, 'devices.code_required'), z.maxLength(40)),
});

function CodeForm({
  given,
  onFound,
}: {
  given: string;
  onFound: (found: { userCode: string; device: DeviceRequest }) => void;
}) {
  const { t } = useTranslation('devices');
  const form = useZodForm(codeFields, { userCode: given });
  const find = useCall(devicesApi.findDevice);
  const submit = async ({ userCode }: z.output<typeof codeFields>) =>
    onFound({ userCode, device: await find.mutateAsync({ userCode }) });
  return (
    <Section title={t('devices.code_title')}>
      <Form form={form} onSubmit={submit} label={t('devices.title')} hasSummary={false}>
        <TextField
          form={form}
          name="userCode"
          label={t('devices.code')}
          help={t('devices.code_help')}
          autoComplete="off"
          required
        />
        <Box>
          <SubmitButton form={form}>{t('devices.find')}</SubmitButton>
        </Box>
      </Form>
    </Section>
  );
}

const giveFields = z.strictObject({
  permissions: z.array(z.enum(everyPermission)).check(z.minLength(1, 'devices.give_required')),
  irreversible: z.boolean(),
  days: z.enum(keyDays.map(String)),
});

function Request({
  userCode,
  device,
  onDone,
}: {
  userCode: string;
  device: DeviceRequest;
  onDone: (step: Step) => void;
}) {
  const { t } = useTranslation('devices');
  const { t: ofKeys } = useTranslation('identity');
  const form = useZodForm(giveFields, { permissions: device.possible, irreversible: false, days: '90' });
  const confirm = useCall(devicesApi.confirmDevice);
  const refuse = useCall(devicesApi.refuseDevice);
  const { name } = device;
  const submit = async ({ days, ...limits }: z.output<typeof giveFields>) => {
    await confirm.mutateAsync({ userCode, ...limits, days: Number.parseInt(days, 10) });
    onDone({ at: 'confirmed', name });
  };
  const deny = () =>
    refuse.mutate({ userCode }, { onSuccess: () => onDone({ at: 'refused', name }), onError: toast.failure });
  const code = shownUserCode(userCode);
  // The code occurs once in the sentence; its two halves stay on one line.
  const [before, after] = t('devices.compare', { code }).split(code);
  const isPossible = device.possible.length > 0;
  const given = useWatch({ control: form.control, name: 'permissions' });
  return (
    <Section title={t('devices.ask', { name })}>
      <Box sx={{ display: 'grid', gap: 2 }}>
        <Alert severity="warning">
          {before}
          <Box component="strong" sx={{ whiteSpace: 'nowrap' }}>
            {code}
          </Box>
          {after}
        </Alert>
        <Facts
          items={[
            [
              t('devices.code'),
              // A code that is compared letter by letter is highlighted.
              <Typography
                key="code"
                component="span"
                variant="mono"
                sx={{ fontSize: '1.25rem', fontWeight: 700 }}
              >
                {code}
              </Typography>,
            ],
            [t('devices.name'), name],
            [t('devices.address'), device.address],
            [t('devices.asked_at'), <Moment key="at" at={device.askedAt} as="relative" />],
          ]}
        />
        {!isPossible && <Alert severity="error">{t('devices.nothing_possible')}</Alert>}
        <Form form={form} onSubmit={submit} label={t('devices.give')}>
          {isPossible && (
            <>
              <Box sx={{ marginBottom: 2 }}>
                <KeyPermissions form={form} name="permissions" only={device.possible} />
              </Box>
              {given.includes('people:write') && (
                <Alert severity="warning" sx={{ marginBottom: 2 }}>
                  {ofKeys('identity.key_people_note')}
                </Alert>
              )}
              {device.irreversible && (
                <CheckField
                  form={form}
                  name="irreversible"
                  label={ofKeys('identity.key_irreversible')}
                  help={ofKeys('identity.key_irreversible_help')}
                />
              )}
              <SelectField
                form={form}
                name="days"
                label={t('devices.days')}
                options={keyDays.map((days) => ({
                  value: String(days),
                  // used as: 'devices.days_*'
                  label: t(`devices.days_${days}`),
                }))}
              />
            </>
          )}
          <Box sx={{ display: 'flex', gap: 1 }}>
            {isPossible && <SubmitButton form={form}>{t('devices.confirm')}</SubmitButton>}
            <Button variant="outlined" loading={refuse.isPending} onClick={deny}>
              {t('devices.refuse')}
            </Button>
          </Box>
        </Form>
      </Box>
    </Section>
  );
}
