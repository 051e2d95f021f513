// The form that creates or changes a service, in its panel. A change is rejected if another user has changed
// the service in the meantime.
import Alert from '@mui/material/Alert';
import Box, { type BoxProps } from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState, type ReactNode } from 'react';
import { useWatch } from 'react-hook-form';
import { ApiError } from '#platform/web/api/api-error.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Form, SubmitButton } from '#platform/web/form/Form.tsx';
import { OutdatedNotice } from '#platform/web/form/OutdatedNotice.tsx';
import { PickerField } from '#platform/web/form/PickerField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { SidePanel } from '#platform/web/ui/SidePanel.tsx';
import type { Pricing, Service } from '../contract.ts';
import { priceDifference } from '../rules-difference.ts';
import { samePrice, serviceFields, type ServiceFields } from './service-fields.ts';
import type { Rehearsal, ServiceForm } from './service-form.ts';
import { useFormUnits } from './known-meters.ts';
import { PriceDifference } from './PriceDifference.tsx';
import { ServiceFormParts } from './ServiceFormParts.tsx';
import { useSaveService } from './use-save-service.ts';

export const panelWidth = 840;
/** For a service with several charges: its calculator is beside the form if there is room. */
const cardPanelWidth = 1240;
const formId = 'service';

export type ServiceEditorProps = {
  readonly initial: ServiceFields;
  /** The service to change; undefined to create one. */
  readonly service?: Service;
  readonly onClose: () => void;
  /** Reloads the service after another user changed it. */
  readonly onReload?: () => void;
  readonly rehearsal?: Rehearsal | undefined;
  /** Shown above the form: the panel's tabs, and the attributes that connect the form with them. */
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
  const save = useSaveService(service, initial, (key) =>
    form.setValue(
      'newMeters',
      form.getValues('newMeters').filter((meter) => meter.key !== key),
    ),
  );
  const priceForm = useWatch({ control: form.control, name: 'priceForm' });
  const title = service?.name ?? t('catalogue.service_add');
  const submit = async (fields: ServiceFields) => {
    try {
      await save(fields);
    } catch (error) {
      setIsOutdated(error instanceof ApiError && error.code === 'catalogue.changed_meanwhile');
      throw error;
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
      width={priceForm === 'card' ? cardPanelWidth : panelWidth}
      unsaved={form.formState.isDirty}
      footer={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <SubmitButton form={form} formId={formId}>
            {t(service ? 'ui.save' : 'catalogue.service_make')}
          </SubmitButton>
        </>
      }
    >
      {head}
      <Box {...panel}>
        {isOutdated && onReload && <OutdatedNotice onReload={onReload} />}
        <Form form={form} onSubmit={submit} onUnchanged={service && onClose} id={formId} label={label}>
          <ServiceFormParts
            form={form}
            isNew={service === undefined}
            priceNote={service && <NewPriceNote form={form} initial={initial} />}
            belowPrice={
              service &&
              ((pricing) => (
                <NewPrice form={form} service={service} pricing={pricing}>
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

/**
 * The differences between a changed price and the one in force, and below them the effect it would have had.
 */
function NewPrice({
  form,
  service,
  pricing,
  children,
}: {
  form: ServiceForm;
  service: Service;
  pricing: Pricing;
  children: ReactNode;
}) {
  const { t } = useTranslation('catalogue');
  const units = useFormUnits(form, service);
  return (
    <Box sx={{ display: 'grid', gap: 2, minWidth: 0 }}>
      {priceDifference(service.pricing, pricing).length > 0 && (
        <Box component="section" sx={{ display: 'grid', gap: 1, minWidth: 0 }}>
          <Typography variant="subtitle2" component="h4">
            {t('catalogue.difference')}
          </Typography>
          <PriceDifference service={units} before={service.pricing} after={pricing} />
        </Box>
      )}
      {children}
    </Box>
  );
}

/**
 * Shown as soon as the price differs: explains that earlier usage keeps the old price, and asks when the new
 * price starts.
 */
function NewPriceNote({ form, initial }: { form: ServiceForm; initial: ServiceFields }) {
  const { t } = useTranslation('catalogue');
  const fields = useWatch({ control: form.control }) as ServiceFields;
  if (samePrice(fields, initial)) return null;
  return (
    <Box sx={{ display: 'grid', gap: 1.5, marginBottom: 2 }}>
      <Alert severity="info">{t('catalogue.new_price')}</Alert>
      <Box sx={{ maxWidth: 360 }}>
        <PickerField
          form={form}
          name="beginsOn"
          type="date"
          label={t('catalogue.begins_on')}
          help={t('catalogue.begins_on_help')}
        />
      </Box>
    </Box>
  );
}
