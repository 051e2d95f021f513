// Step 1: name, language, currency, time zone and tax, the environment check, and the set-up token if it is
// missing.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useEffect } from 'react';
import { useWatch } from 'react-hook-form';
import { contentLanguages } from '#kernel/language.ts';
import { currencyCodes } from '#kernel/money.ts';
import { brandTitle } from '#kernel/brand-title.ts';
import { changeLanguage, useTranslation } from '#platform/web/i18n/i18n.ts';
import { Form, SubmitButton } from '#platform/web/form/Form.tsx';
import { SelectField } from '#platform/web/form/SelectField.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { administrationApi } from './api.ts';
import { SetupChecks } from './SetupChecks.tsx';
import { basicSchema, type BasicValues } from './setup-values.ts';
import { suggestedZones } from '#platform/web/form/time-zones.ts';

export function SetupBasic({
  values,
  onNext,
}: {
  values: BasicValues;
  onNext: (values: BasicValues) => void;
}) {
  const { t } = useTranslation('administration');
  const { t: p } = useTranslation('platform');
  const form = useZodForm(basicSchema, values);
  const check = useCall(administrationApi.checkSetupToken);
  const { mutate } = check;
  const token = values.setupToken;
  // The token from the printed URL is checked at once, so that a wrong one does not fail at the last step.
  useEffect(() => {
    if (token !== '') mutate({ setupToken: token });
  }, [mutate, token]);
  const submit = async (next: BasicValues) => {
    await check.mutateAsync({ setupToken: next.setupToken });
    onNext(next);
  };
  return (
    <Form form={form} onSubmit={submit}>
      {/* The address that the server printed has the token: nobody needs to see it unless it is refused. */}
      {(token === '' || check.error) && (
        <TextField
          form={form}
          name="setupToken"
          label={t('administration.setup_token')}
          help={t('administration.setup_token_help')}
          autoComplete="off"
          required
        />
      )}
      {check.error && !form.formState.isSubmitted && <Alert severity="error">{check.error.message}</Alert>}
      <Box sx={{ display: 'grid', columnGap: 2, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } }}>
        <TextField
          form={form}
          name="companyPrefix"
          label={t('administration.company_prefix')}
          autoComplete="organization"
        />
        <TextField form={form} name="name" label={t('administration.system_name')} required />
        <TitlePreview form={form} />
        {/* used as: 'administration.language_*' */}
        <SelectField
          form={form}
          name="language"
          label={t('administration.default_language')}
          options={contentLanguages.map((one) => ({
            value: one,
            label: t(`administration.language_${one}`),
          }))}
        />
        <SelectField
          form={form}
          name="timeZone"
          label={t('administration.time_zone')}
          options={[...new Set([values.timeZone, ...suggestedZones])].map((zone) => ({
            value: zone,
            label: zone,
          }))}
        />
        <SelectField
          form={form}
          name="currency"
          label={t('administration.currency')}
          options={currencyCodes.map((code) => ({ value: code, label: code }))}
        />
        <TextField
          form={form}
          name="taxRate"
          label={t('administration.tax_rate')}
          help={t('administration.tax_rate_help')}
          inputMode="decimal"
          required
        />
      </Box>
      <FollowLanguage form={form} />
      {check.data && <SetupChecks checks={check.data.checks} />}
      <Box sx={{ display: 'flex', justifyContent: 'flex-end' }}>
        <SubmitButton form={form} size="large">
          {p('ui.next')}
        </SubmitButton>
      </Box>
    </Form>
  );
}

type BasicForm = ReturnType<typeof useZodForm<typeof basicSchema>>;

function TitlePreview({ form }: { form: BasicForm }) {
  const { t } = useTranslation('administration');
  const [companyPrefix, name] = useWatch({ control: form.control, name: ['companyPrefix', 'name'] });
  return (
    <Box
      sx={{
        gridColumn: '1 / -1',
        // As far from the next field as fields are from each other, which keep a line for their problem.
        marginBottom: '30px',
        padding: '8px 12px',
        bgcolor: 'sunken',
        borderRadius: '5px',
      }}
    >
      <Typography variant="caption" color="textSecondary">
        {t('administration.title_preview')}
      </Typography>
      <Typography variant="h3" component="p" sx={{ overflowWrap: 'anywhere', minHeight: 24 }}>
        {brandTitle({ companyPrefix: companyPrefix.trim(), name: name.trim() })}
      </Typography>
    </Box>
  );
}

/** The wizard switches to the chosen default language. */
function FollowLanguage({ form }: { form: BasicForm }) {
  const chosen = useWatch({ control: form.control, name: 'language' });
  const isChanged = form.formState.dirtyFields.language === true;
  useEffect(() => {
    if (isChanged) void changeLanguage(chosen);
  }, [chosen, isChanged]);
  return null;
}
