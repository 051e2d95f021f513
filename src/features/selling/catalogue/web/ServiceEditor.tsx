// The form of a service in its panel: creates one, or changes one unless another user changed it meanwhile.
import Alert from '@mui/material/Alert';
import Box, { type BoxProps } from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState, type ReactNode } from 'react';
import { useWatch } from 'react-hook-form';
import { ApiError } from '#platform/web/api/api-error.ts';
import { useBrand } from '#platform/web/shell/brand.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { startOfDay } from '#platform/web/time/start-of-day.ts';
import { Form, SubmitButton } from '#platform/web/form/Form.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { SidePanel } from '#platform/web/ui/SidePanel.tsx';
import { schemaOf } from '#features/selling/meters/rules.ts';
import { metersKey } from '#features/selling/meters/web/parts.ts';
import type { Pricing, Service } from '../contract.ts';
import { priceDifference } from '../rules-difference.ts';
import { catalogueApi, catalogueKey } from './api.ts';
import {
  commas,
  fieldNamed,
  lines,
  listOf,
  meterOf,
  pricingOf,
  quotaOf,
  samePrice,
  serviceFields,
  type ServiceFields,
} from './service-fields.ts';
import type { Rehearsal, ServiceForm } from './service-form.ts';
import { PriceDifference } from './PriceDifference.tsx';
import { ServiceFormParts } from './ServiceFormParts.tsx';

export const panelWidth = 840;
const formId = 'service';

export type ServiceEditorProps = {
  readonly initial: ServiceFields;
  /** The service to change; left out for a new one. */
  readonly service?: Service;
  readonly onClose: () => void;
  /** Loads the service again after another user changed it. */
  readonly onReload?: () => void;
  readonly rehearsal?: Rehearsal | undefined;
  /** Above the form: the panel's tabs, and what ties the form to them. */
  readonly head?: ReactNode;
  readonly panel?: Pick<BoxProps, 'role' | 'id' | 'aria-labelledby'>;
};

export function ServiceEditor({
  initial,
  service,
  onClose,
  onReload,
  rehearsal,
  head,
  panel,
}: ServiceEditorProps) {
  const { t } = useTranslation('catalogue');
  const form = useZodForm(serviceFields, initial);
  const [isOutdated, setIsOutdated] = useState(false);
  const save = useSave(service, initial);
  const title = service?.name ?? t('catalogue.service_add');
  const submit = async (fields: ServiceFields) => {
    try {
      await save(fields);
    } catch (error) {
      setIsOutdated(error instanceof ApiError && error.code === 'catalogue.changed_meanwhile');
      throw withFormFields(error);
    }
    toast.success(t(service ? 'catalogue.service_changed' : 'catalogue.service_made', { name: fields.name }));
    onClose();
  };
  const label = t(service ? 'catalogue.service_edit' : 'catalogue.service_add');
  return (
    <SidePanel
      open
      title={title}
      onClose={onClose}
      width={panelWidth}
      unsaved={form.formState.isDirty}
      footer={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <SubmitButton
            form={form}
            formId={formId}
            size="medium"
            disabled={service !== undefined && !form.formState.isDirty}
          >
            {t(service ? 'ui.save' : 'catalogue.service_make')}
          </SubmitButton>
        </>
      }
    >
      {head}
      <Box {...panel}>
        {isOutdated && onReload && (
          <Alert
            severity="warning"
            sx={{ marginBottom: 2 }}
            action={
              <Button color="inherit" size="small" onClick={onReload}>
                {t('catalogue.reload')}
              </Button>
            }
          >
            {t('catalogue.reload_loses')}
          </Alert>
        )}
        <Form form={form} onSubmit={submit} id={formId} label={label}>
          <ServiceFormParts
            form={form}
            isNew={service === undefined}
            priceNote={service && <NewPriceNote form={form} initial={initial} />}
            belowPrice={
              service &&
              ((pricing) => (
                <NewPrice service={service} pricing={pricing}>
                  {rehearsal?.({ serviceId: service.id, pricing })}
                </NewPrice>
              ))
            }
          />
        </Form>
      </Box>
    </SidePanel>
  );
}

/** What a changed price changes of the one in force, and below it what it would have meant. */
function NewPrice({
  service,
  pricing,
  children,
}: {
  service: Service;
  pricing: Pricing;
  children: ReactNode;
}) {
  const { t } = useTranslation('catalogue');
  return (
    <Box sx={{ display: 'grid', gap: 2, minWidth: 0 }}>
      {priceDifference(service.pricing, pricing).length > 0 && (
        <Box component="section" sx={{ display: 'grid', gap: 1, minWidth: 0 }}>
          <Typography variant="subtitle2" component="h4">
            {t('catalogue.difference')}
          </Typography>
          <PriceDifference before={service.pricing} after={pricing} />
        </Box>
      )}
      {children}
    </Box>
  );
}

/**
 * Shown as soon as the price differs: earlier usage keeps the old price; and asks when the new price begins.
 */
function NewPriceNote({ form, initial }: { form: ServiceForm; initial: ServiceFields }) {
  const { t } = useTranslation('catalogue');
  const fields = useWatch({ control: form.control }) as ServiceFields;
  if (samePrice(fields, initial)) return null;
  return (
    <Box sx={{ display: 'grid', gap: 1.5, marginBottom: 2 }}>
      <Alert severity="info">{t('catalogue.new_price')}</Alert>
      <Box sx={{ maxWidth: 360 }}>
        <TextField
          form={form}
          name="beginsOn"
          type="date"
          autoComplete="off"
          label={t('catalogue.begins_on')}
          help={t('catalogue.begins_on_help')}
        />
      </Box>
    </Box>
  );
}

/** Translates the server's field names in an error into the form's. */
function withFormFields(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error;
  const { status, code, message, requestId, cause } = error;
  return new ApiError({
    status,
    code,
    message,
    requestId,
    cause,
    errors: error.errors.map((one) => ({ ...one, field: fieldNamed(one.field) })),
  });
}

function useSave(
  service: Service | undefined,
  initial: ServiceFields,
): (fields: ServiceFields) => Promise<unknown> {
  // A new service may bring a meter of its own.
  const invalidates = [catalogueKey(), metersKey()];
  const timeZone = useBrand((brand) => brand.timeZone);
  const create = useCall(catalogueApi.createService, { invalidates });
  const update = useCall(catalogueApi.updateService, { invalidates });
  return async (fields) => {
    const {
      name,
      type,
      category,
      description,
      status,
      releaseState,
      billingCycle,
      proration,
      family,
      popular,
      recommended,
    } = fields;
    const own = {
      name,
      type,
      category,
      description,
      status,
      releaseState,
      billingCycle,
      proration,
      family,
      trialDays: Number(fields.trialDays),
      popular,
      recommended,
      quota: quotaOf(fields),
      features: listOf(fields.features, lines),
      tags: listOf(fields.tags, commas),
    };
    const pricing = pricingOf(fields);
    // The form's schema has checked this already; the condition satisfies the type checker.
    if (!pricing) throw new Error('the price is not complete');
    if (!service)
      return create.mutateAsync({
        ...own,
        pricing,
        // A usage charge names its meter.
        ...(fields.priceForm === 'single' && { meter: meterOf(fields) }),
      });
    const newPrice = samePrice(fields, initial)
      ? {}
      : { pricing, ...(fields.beginsOn !== '' && { effectiveFrom: startOfDay(fields.beginsOn, timeZone) }) };
    const newSchema =
      fields.dataSchema === initial.dataSchema ? {} : { dataSchema: schemaOf(fields.dataSchema) ?? null };
    return update.mutateAsync({
      serviceId: service.id,
      version: service.version,
      ...own,
      ...newSchema,
      ...newPrice,
    });
  };
}
