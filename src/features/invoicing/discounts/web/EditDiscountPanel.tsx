// Changes a discount's name and limits, unless another user has changed them in the meantime.
import { inLanguage } from '#kernel/language.ts';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { ApiError } from '#platform/web/api/api-error.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { FormPanel } from '#platform/web/form/FormPanel.tsx';
import { OutdatedNotice } from '#platform/web/form/OutdatedNotice.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import type { Discount } from '../contract.ts';
import { discountsApi, discountsKey } from './api.ts';
import { limitsFields, limitsInput, limitsOf, type LimitsFields } from './discount-fields.ts';
import { LimitFields, NameFields } from './LimitFields.tsx';

export function EditDiscountPanel({
  discount,
  onClose,
  onReload,
}: {
  discount: Discount;
  onClose: () => void;
  /** Reloads the discount after another user changed it. */
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
    <FormPanel
      form={form}
      title={title}
      width={640}
      submitLabel={t('ui.save')}
      isEdit
      onSubmit={submit}
      onClose={onClose}
    >
      {isOutdated && <OutdatedNotice onReload={onReload} />}
      <Typography variant="body2" color="textSecondary" sx={{ marginBottom: 2 }}>
        {t('discounts.edit_lead')}
      </Typography>
      <NameFields form={form} />
      <LimitFields form={form} hasCode={discount.code !== null} />
    </FormPanel>
  );
}
