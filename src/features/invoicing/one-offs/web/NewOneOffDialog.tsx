// Charges or credits an organization once; shows the exact amount and the bill it will be on before it is
// created.
import { inLanguage } from '#kernel/language.ts';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { required } from '#kernel/assert.ts';
import { withSymbol } from '#kernel/format-money.ts';
import { currencyCodes } from '#kernel/money.ts';
import { pairs, whole } from '#platform/web/form/FieldGroup.tsx';
import { FormDialog } from '#platform/web/form/FormDialog.tsx';
import { SelectField } from '#platform/web/form/SelectField.tsx';
import { PickerField } from '#platform/web/form/PickerField.tsx';
import { MoneyField, TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm, type FormOf } from '#platform/web/form/use-zod-form.ts';
import { useLanguage, useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { useBrand } from '#platform/web/shell/brand.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { Money } from '#platform/web/ui/Money.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { OrganizationField } from '#features/access/identity/web/parts.ts';
import { oneOffBillings, oneOffKinds } from '../contract.ts';
import { needsApproval } from '../rules.ts';
import { oneOffsApi, oneOffsKey, oneOffsQueries, subscriptionsQueries } from './api.ts';
import { amountOf, oneOffFields, requestOf, withFormFields, type OneOffFields } from './one-off-form.ts';

type OneOffForm = FormOf<OneOffFields, OneOffFields>;
/** More than any organization has; the list of a customer with more is cut off. */
const mostSubscriptions = 200;

export function NewOneOffDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('oneoffs');
  const language = useLanguage();
  const currency = useBrand((brand) => brand.currency);
  const form: OneOffForm = useZodForm(oneOffFields, {
    organization: null,
    subscriptionId: '',
    kind: 'charge',
    name: { zhTW: '', enUS: '' },
    quantity: '1',
    unitPrice: '',
    currency,
    chargeOn: '',
    billing: 'next_bill',
    note: '',
  });
  const create = useCall(oneOffsApi.createOneOff, {
    invalidates: [oneOffsKey()],
    onSuccess: ({ name, state }) =>
      toast.success(
        t(state === 'awaiting_approval' ? 'oneoffs.made_awaiting' : 'oneoffs.made', {
          name: inLanguage(name, language),
        }),
      ),
  });
  const submit = async (fields: OneOffFields) => {
    const organization = required(fields.organization, 'the form checked the organization');
    try {
      await create.mutateAsync(requestOf({ ...fields, organization }));
    } catch (error) {
      throw withFormFields(error);
    }
  };
  return (
    <FormDialog
      form={form}
      title={t('oneoffs.new')}
      confirm={t(form.watch('kind') === 'credit' ? 'oneoffs.make_credit' : 'oneoffs.make_charge')}
      width="sm"
      onSubmit={submit}
      onClose={onClose}
    >
      <Fields form={form} />
      <Outcome form={form} />
    </FormDialog>
  );
}

function Fields({ form }: { form: OneOffForm }) {
  const { t } = useTranslation('oneoffs');
  const format = useFormat();
  return (
    <Box sx={pairs}>
      <OrganizationField form={form} name="organization" label={t('oneoffs.column_organization')} required />
      <SubscriptionField form={form} />
      {/* used as: 'oneoffs.kind_*' */}
      <SelectField
        form={form}
        name="kind"
        label={t('oneoffs.column_kind')}
        options={oneOffKinds.map((kind) => ({ value: kind, label: t(`oneoffs.kind_${kind}`) }))}
      />
      <SelectField
        form={form}
        name="currency"
        label={t('oneoffs.currency')}
        options={currencyCodes.map((code) => ({ value: code, label: code }))}
      />
      <TextField
        form={form}
        name="name.zhTW"
        label={t('oneoffs.name_zhTW')}
        help={t('oneoffs.name_help')}
        autoComplete="off"
        required
      />
      <TextField form={form} name="name.enUS" label={t('oneoffs.name_enUS')} autoComplete="off" required />
      <TextField
        form={form}
        name="quantity"
        label={t('oneoffs.column_quantity')}
        inputMode="decimal"
        autoComplete="off"
        required
      />
      <MoneyField
        form={form}
        name="unitPrice"
        label={t('oneoffs.column_unitPrice')}
        help={t('oneoffs.price_help')}
        sign={withSymbol('', form.watch('currency'), format.language)}
        required
      />
      {/* used as: 'oneoffs.billing_*' */}
      <SelectField
        form={form}
        name="billing"
        label={t('oneoffs.column_billing')}
        options={oneOffBillings.map((billing) => ({
          value: billing,
          label: t(`oneoffs.billing_${billing}`),
        }))}
      />
      <PickerField
        form={form}
        name="chargeOn"
        type="date"
        label={t('oneoffs.column_chargeOn')}
        help={t('oneoffs.day_help')}
      />
      <Box sx={whole}>
        <TextField
          form={form}
          name="note"
          label={t('oneoffs.column_note')}
          help={t('oneoffs.note_help')}
          autoComplete="off"
        />
      </Box>
    </Box>
  );
}

/** The subscriptions of the chosen organization. */
function SubscriptionField({ form }: { form: OneOffForm }) {
  const { t } = useTranslation('oneoffs');
  const organization = form.watch('organization');
  const chosen = form.watch('subscriptionId');
  const { data } = useQuery({
    ...subscriptionsQueries.adminListSubscriptions({
      ...(organization && { organizationId: organization.id }),
      limit: mostSubscriptions,
      sort: 'name',
    }),
    enabled: organization !== null,
  });
  const own = organization && data ? data.items : [];
  // A subscription of the previously chosen organization does not belong to this one.
  const isForeign = chosen !== '' && data !== undefined && own.every((each) => each.id !== chosen);
  if (isForeign) form.setValue('subscriptionId', '');
  return (
    <SelectField
      form={form}
      name="subscriptionId"
      label={t('oneoffs.subscription')}
      help={t(organization === null ? 'oneoffs.subscription_first' : 'oneoffs.subscription_help')}
      disabled={organization === null}
      options={[
        { value: '', label: t('oneoffs.no_subscription') },
        ...own.map(({ id, service, quantity }) => ({
          value: id,
          label: quantity === '1' ? service.name : `${service.name} × ${quantity}`,
        })),
      ]}
    />
  );
}

/** The exact amount, and what happens to it. */
function Outcome({ form }: { form: OneOffForm }) {
  const { t } = useTranslation('oneoffs');
  const format = useFormat();
  const { kind, quantity, unitPrice, currency, billing } = form.watch();
  const { data: settings } = useQuery(oneOffsQueries.oneOffSettings());
  const amount = amountOf({ kind, quantity, unitPrice, currency });
  const threshold = settings?.approvalAbove ?? null;
  const isAwaiting = amount !== undefined && needsApproval(amount, threshold);
  const sentences = [
    t(billing === 'own_bill' ? 'oneoffs.on_own_bill' : 'oneoffs.on_next_bill'),
    ...(kind === 'credit' ? [t('oneoffs.credit_hint')] : []),
  ];
  return (
    <Stack
      component="section"
      aria-label={t('oneoffs.outcome')}
      sx={{ gap: 1, padding: 2, borderRadius: '5px', bgcolor: 'sunken' }}
    >
      <Stack direction="row" sx={{ gap: 2, justifyContent: 'space-between', alignItems: 'baseline' }}>
        <Typography variant="subtitle2" component="h3">
          {t('oneoffs.column_amount')}
        </Typography>
        <Typography variant="h2" component="p" role="status">
          {amount ? <Money amount={amount} strong /> : '–'}
        </Typography>
      </Stack>
      {sentences.map((sentence) => (
        <Typography key={sentence} variant="body2" color="textSecondary">
          {sentence}
        </Typography>
      ))}
      {isAwaiting && threshold && (
        <Alert severity={settings?.otherAdmins === 0 ? 'warning' : 'info'}>
          {t(settings?.otherAdmins === 0 ? 'oneoffs.awaits_nobody' : 'oneoffs.awaits', {
            amount: format.money(threshold),
          })}
        </Alert>
      )}
    </Stack>
  );
}
