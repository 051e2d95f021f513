// Sets a price for one organization: model, period, reason, and a preview.
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import * as z from 'zod/mini';
import { isDay, text } from '#kernel/shape.ts';
import { dayPeriod } from '#kernel/time.ts';
import { ApiError } from '#platform/web/api/api-error.ts';
import { pairs, whole } from '#platform/web/form/FieldGroup.tsx';
import { useBrand } from '#platform/web/shell/brand.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Form, SubmitButton } from '#platform/web/form/Form.tsx';
import { PickerField } from '#platform/web/form/PickerField.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { OrganizationField, requiredOrganization } from '#features/access/identity/web/parts.ts';
import type { Charge } from '#features/selling/rating/contract.ts';
import type { AdminService, Pricing } from '../contract.ts';
import { priceDifference } from '../rules-difference.ts';
import { catalogueApi, catalogueKey } from './api.ts';
import { ChargesEditor } from './ChargesEditor.tsx';
import { useFormUnits } from './known-meters.ts';
import { PriceDifference } from './PriceDifference.tsx';
import { PricingEditor } from './PricingEditor.tsx';
import type { ServiceForm } from './service-form.ts';
import { fieldNamed, fieldsOf, pricingOf, serviceFields } from './service-fields.ts';

const dayOrNone = z.string().check(z.refine((value) => value === '' || isDay(value), 'form.invalid'));
const agreement = z.strictObject({
  organization: requiredOrganization,
  from: dayOrNone,
  lastDay: dayOrNone,
  reason: text(500),
});

export function OverrideForm({ service, onClose }: { service: AdminService; onClose: () => void }) {
  const { t } = useTranslation('catalogue');
  const formId = useId();
  const timeZone = useBrand((brand) => brand.timeZone);
  const form = useZodForm(agreement, { organization: null, from: '', lastDay: '', reason: '' });
  // The price is entered with the same fields as every price; initially it is the list price.
  const price = useZodForm(serviceFields, fieldsOf(service));
  const add = useCall(catalogueApi.addOverride, { invalidates: [catalogueKey()] });
  const submit = async ({
    organization,
    from,
    lastDay,
    reason,
  }: z.output<typeof agreement>): Promise<void> => {
    const pricing = pricingOf(price.getValues());
    // The price's fields show their own errors.
    if (!(await price.trigger()) || !pricing || !organization) throw new Error(t('form.check'));
    try {
      await add.mutateAsync({
        serviceId: service.id,
        organizationId: organization.id,
        ...agreedOf(service.pricing, pricing),
        reason,
        ...(isDay(from) && { effectiveFrom: dayPeriod(from, timeZone).start }),
        ...(isDay(lastDay) && { until: dayPeriod(lastDay, timeZone).end }),
      });
    } catch (error) {
      throw withFormFields(error);
    }
    toast.success(t('catalogue.override_made', { name: organization.name }));
    onClose();
  };
  return (
    <Stack sx={{ gap: 3 }}>
      <Typography variant="h3">{t('catalogue.override_add')}</Typography>
      <Form form={form} onSubmit={submit} id={formId} label={t('catalogue.override_add')}>
        <Box sx={pairs}>
          <Box sx={whole}>
            <OrganizationField
              form={form}
              name="organization"
              label={t('catalogue.override_organization')}
              required
            />
          </Box>
          <PickerField
            form={form}
            name="from"
            type="date"
            label={t('catalogue.override_from')}
            help={t('catalogue.begins_on_help')}
          />
          <PickerField
            form={form}
            name="lastDay"
            type="date"
            label={t('catalogue.override_last_day')}
            help={t('catalogue.override_last_day_help')}
          />
          <Box sx={whole}>
            <TextField
              form={form}
              name="reason"
              label={t('catalogue.override_reason')}
              help={t('catalogue.override_reason_help')}
              autoComplete="off"
              required
            />
          </Box>
        </Box>
      </Form>
      {service.pricing.model === 'rate_card' ? (
        <ChargesEditor
          form={price}
          fixedCurrency
          withTerms={false}
          below={(pricing) => <Agreed form={price} service={service} pricing={pricing} />}
        />
      ) : (
        <PricingEditor form={price} fixedCurrency withTerms={false} />
      )}
      <Stack direction="row" sx={{ gap: 1, justifyContent: 'flex-end' }}>
        <Button onClick={onClose}>{t('ui.cancel')}</Button>
        <SubmitButton form={form} formId={formId}>
          {t('catalogue.override_make')}
        </SubmitButton>
      </Stack>
    </Stack>
  );
}

/**
 * What is agreed: single charges if only they differ from the list price, so that the others follow it;
 * otherwise the whole price.
 */
function agreedOf(listed: Pricing, pricing: Pricing): { charges: Charge[] } | { pricing: Pricing } {
  const charges = priceDifference(listed, pricing).map(({ charge, action }) =>
    action === 'changed' ? charge : null,
  );
  const changed = charges.filter((charge) => charge !== null);
  return changed.length > 0 && changed.length === charges.length ? { charges: changed } : { pricing };
}

/** What the agreement changes in the list price, and whether the rest follows the list price. */
function Agreed({ form, service, pricing }: { form: ServiceForm; service: AdminService; pricing: Pricing }) {
  const { t } = useTranslation('catalogue');
  const listed = service.pricing;
  const units = useFormUnits(form, service);
  return (
    <Box sx={{ display: 'grid', gap: 1, minWidth: 0 }}>
      <Typography variant="subtitle2" component="h4">
        {t('catalogue.override_difference')}
      </Typography>
      <PriceDifference service={units} before={listed} after={pricing} />
      <Typography variant="body2" color="textSecondary">
        {t(
          'charges' in agreedOf(listed, pricing) ? 'catalogue.override_follows' : 'catalogue.override_stays',
        )}
      </Typography>
    </Box>
  );
}

const ownFields: Readonly<Record<string, string>> = {
  organizationId: 'organization',
  effectiveFrom: 'from',
  until: 'lastDay',
};

function withFormFields(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error;
  const { status, code, message, requestId, cause } = error;
  return new ApiError({
    status,
    code,
    message,
    requestId,
    cause,
    errors: error.errors.map((one) => ({ ...one, field: ownFields[one.field] ?? fieldNamed(one.field) })),
  });
}
