// How long usage counts as billed, when Admins are notified, and which services' prices apply to unassigned
// resources.
import DeleteOutlined from '~icons/ic/outline-delete';
import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useController, useFieldArray } from 'react-hook-form';
import * as z from 'zod/mini';
import type { In } from '#kernel/contract.ts';
import { currencyCodes, moneyText, parseMoney } from '#kernel/money.ts';
import { isId } from '#kernel/ids.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { AddEntry } from '#platform/web/form/EntryList.tsx';
import { pairs } from '#platform/web/form/FieldGroup.tsx';
import { FormPanel } from '#platform/web/form/FormPanel.tsx';
import { SelectField } from '#platform/web/form/SelectField.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm, type FormOf } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { IconAction } from '#platform/web/ui/IconAction.tsx';
import { itemKinds } from '#features/metering/connectors/contract-sources.ts';
import { maxPrices, type reconciliation, type Settings } from '../contract.ts';
import { reconciliationApi, reconciliationKey, reconciliationQueries } from './api.ts';
import { ServicePicker, type ChosenService } from '#features/metering/connectors/web/parts.ts';

const shape = z
  .strictObject({
    ghostHours: z.string().check(
      z.trim(),
      z.refine(
        (typed) => /^\d{1,3}$/.test(typed) && Number(typed) >= 1 && Number(typed) <= 720,
        'reconciliation.hours_wrong',
      ),
    ),
    amount: z.string().check(z.trim()),
    currency: z.enum(currencyCodes),
    prices: z.array(
      z.strictObject({
        connectorId: z.string().check(z.minLength(1)),
        itemKind: z.enum(itemKinds),
        service: z.nullable(z.custom<ChosenService>()),
      }),
    ),
  })
  .check(
    z.check((context) => {
      const { amount, currency, prices } = context.value;
      if (amount !== '' && !((parseMoney(amount, currency)?.minor ?? 0n) > 0n))
        context.issues.push({
          code: 'custom',
          input: amount,
          path: ['amount'],
          message: 'reconciliation.amount_wrong',
        });
      for (const [place, { service }] of prices.entries())
        if (!service)
          context.issues.push({
            code: 'custom',
            input: null,
            path: ['prices', place, 'service'],
            message: 'reconciliation.choose_service',
          });
    }),
  );
type Fields = z.output<typeof shape>;

/** The request of the form, which has already checked the amount and that every price has a service. */
function sentOf(version: number, fields: Fields): In<typeof reconciliation.setReconciliation> {
  const amount = fields.amount === '' ? undefined : parseMoney(fields.amount, fields.currency);
  return {
    version,
    ghostHours: Number(fields.ghostHours),
    noticeAbove: amount ?? null,
    prices: fields.prices.flatMap(({ connectorId, itemKind, service }) =>
      isId('con', connectorId) && service ? [{ connectorId, itemKind, serviceId: service.id }] : [],
    ),
  };
}

export function SettingsPanel({ settings, onClose }: { settings: Settings; onClose: () => void }) {
  const { t } = useTranslation('reconciliation');
  const form = useZodForm(shape, {
    ghostHours: String(settings.ghostHours),
    amount: settings.noticeAbove ? moneyText(settings.noticeAbove) : '',
    currency: settings.noticeAbove?.currency ?? 'TWD',
    prices: settings.prices.map(({ connectorId, itemKind, serviceId, serviceName }) => ({
      connectorId: connectorId as string,
      itemKind,
      service: { id: serviceId, name: serviceName },
    })),
  });
  const save = useCall(reconciliationApi.setReconciliation, { invalidates: [reconciliationKey()] });
  const submit = async (fields: Fields) => {
    await save.mutateAsync(sentOf(settings.version, fields));
    toast.success(t('reconciliation.settings_saved'));
    onClose();
  };
  return (
    <FormPanel
      form={form}
      title={t('reconciliation.settings_title')}
      width={640}
      submitLabel={t('ui.save')}
      isEdit
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        form={form}
        name="ghostHours"
        label={t('reconciliation.ghost_hours')}
        help={t('reconciliation.ghost_hours_help')}
        inputMode="numeric"
        end={t('reconciliation.hours')}
        autoComplete="off"
        required
      />
      <Box
        sx={{
          display: 'grid',
          gap: '8px 16px',
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'minmax(0, 2fr) minmax(0, 1fr)' },
        }}
      >
        <TextField
          form={form}
          name="amount"
          label={t('reconciliation.notice_above')}
          help={t('reconciliation.notice_help')}
          inputMode="decimal"
          autoComplete="off"
        />
        <SelectField
          form={form}
          name="currency"
          label={t('reconciliation.currency')}
          options={currencyCodes.map((value) => ({ value, label: value }))}
        />
      </Box>
      <Prices form={form} />
    </FormPanel>
  );
}

type OfForm = { readonly form: FormOf<Fields, Fields> };

function Prices({ form }: OfForm) {
  const { t } = useTranslation('reconciliation');
  const { data } = useQuery(reconciliationQueries.listReconciled({}));
  const connectors = data?.items ?? [];
  const { fields, append, remove } = useFieldArray({ control: form.control, name: 'prices' });
  return (
    <section aria-label={t('reconciliation.prices')}>
      <Stack
        direction="row"
        sx={{ justifyContent: 'space-between', alignItems: 'center', gap: 2, marginBottom: 1.5 }}
      >
        <Typography variant="h3">{t('reconciliation.prices')}</Typography>
        <AddEntry
          label={t('reconciliation.add_price')}
          count={fields.length}
          most={maxPrices}
          refused={data && connectors.length === 0 ? t('reconciliation.needs_connector') : undefined}
          onAdd={() =>
            append({
              connectorId: connectors[0]?.id ?? '',
              itemKind: connectors[0]?.kinds[0] ?? 'other',
              service: null,
            })
          }
        />
      </Stack>
      {fields.length === 0 && (
        <Typography variant="body2" color="textSecondary">
          {t('reconciliation.no_prices')}
        </Typography>
      )}
      {fields.map((field, index) => (
        <Box
          key={field.id}
          sx={{ backgroundColor: 'sunken', borderRadius: '5px', padding: '12px', marginBottom: 1.5 }}
        >
          <Box sx={pairs}>
            <SelectField
              form={form}
              name={`prices.${index}.connectorId`}
              label={t('reconciliation.connector')}
              options={connectors.map(({ id, name }) => ({ value: id, label: name }))}
            />
            {/* used as: 'reconciliation.item_*' */}
            <SelectField
              form={form}
              name={`prices.${index}.itemKind`}
              label={t('reconciliation.item_kind')}
              options={itemKinds.map((value) => ({ value, label: t(`reconciliation.item_${value}`) }))}
            />
          </Box>
          <PriceService form={form} index={index} />
          <Box sx={{ display: 'flex', justifyContent: 'flex-end' }}>
            <IconAction
              size="small"
              label={t('reconciliation.remove_price', { number: index + 1 })}
              onClick={() => remove(index)}
            >
              <DeleteOutlined fontSize="small" />
            </IconAction>
          </Box>
        </Box>
      ))}
    </section>
  );
}

function PriceService({ form, index }: OfForm & { readonly index: number }) {
  const { t } = useTranslation('reconciliation');
  const { field, fieldState } = useController({ control: form.control, name: `prices.${index}.service` });
  return (
    <ServicePicker
      value={field.value}
      onChange={field.onChange}
      problem={fieldState.error ? t('reconciliation.choose_service') : undefined}
    />
  );
}
