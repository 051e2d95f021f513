// Changes a discount's name and limits, unless another user changed them meanwhile.
import { inLanguage } from '#kernel/language.ts';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { ApiError } from '#platform/web/api/api-error.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { Form, SubmitButton } from '#platform/web/form/Form.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { SidePanel } from '#platform/web/ui/SidePanel.tsx';
import type { Discount } from '../contract.ts';
import { discountsApi, discountsKey } from './api.ts';
import { limitsFields, limitsInput, limitsOf, type LimitsFields } from './discount-fields.ts';
import { LimitFields, NameFields } from './LimitFields.tsx';

const formId = 'discount-limits';

export function EditDiscountPanel({
  discount,
  onClose,
  onReload,
}: {
  discount: Discount;
  onClose: () => void;
  /** Loads the discount again after another user changed it. */
  onReload: () => void;
}) {
  const { t } = useTranslation('discounts');
  const { language } = useFormat();
  const form = useZodForm(limitsFields, limitsOf(discount));
  const [isOutdated, setIsOutdated] = useState(false);
  const update = useCall(discountsApi.updateDiscount, { invalidates: [discountsKey()] });
  const submit = async (fields: LimitsFields) => {
    try {
      const { name } = await update.mutateAsync({
        discountId: discount.id,
        version: discount.version,
        ...limitsInput(fields),
      });
      toast.success(t('discounts.updated', { name: inLanguage(name, language) }));
    } catch (error) {
      setIsOutdated(error instanceof ApiError && error.code === 'discounts.changed_meanwhile');
      throw error;
    }
    onClose();
  };
  const title = t('discounts.edit_title', { name: inLanguage(discount.name, language) });
  return (
    <SidePanel
      open
      title={title}
      width={640}
      onClose={onClose}
      unsaved={form.formState.isDirty && !form.formState.isSubmitSuccessful}
      footer={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <SubmitButton form={form} formId={formId} size="medium" disabled={!form.formState.isDirty}>
            {t('ui.save')}
          </SubmitButton>
        </>
      }
    >
      {isOutdated && (
        <Alert
          severity="warning"
          sx={{ marginBottom: 2 }}
          action={
            <Button color="inherit" size="small" onClick={onReload}>
              {t('discounts.reload')}
            </Button>
          }
        >
          {t('discounts.changed_meanwhile')}
        </Alert>
      )}
      <Typography variant="body2" color="textSecondary" sx={{ marginBottom: 2 }}>
        {t('discounts.edit_lead')}
      </Typography>
      <Form form={form} onSubmit={submit} id={formId} label={title}>
        <NameFields form={form} />
        <LimitFields form={form} hasCode={discount.code !== null} />
      </Form>
    </SidePanel>
  );
}
