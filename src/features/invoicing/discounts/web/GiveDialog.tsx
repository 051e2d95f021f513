// Gives a discount to an organization, or to one of its subscriptions.
import { inLanguage } from '#kernel/language.ts';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { required } from '#kernel/assert.ts';
import { isId } from '#kernel/ids.ts';
import { month } from '#kernel/shape.ts';
import { addMonths } from '#kernel/time.ts';
import { OrganizationField, requiredOrganization } from '#features/access/identity/web/parts.ts';
import { subscriptionsQueries } from '#features/selling/subscriptions/web/parts.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { FormDialog } from '#platform/web/form/FormDialog.tsx';
import { SelectField } from '#platform/web/form/SelectField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useBrand } from '#platform/web/shell/brand.ts';
import { monthNow } from '#platform/web/time/months.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import type { Discount } from '../contract.ts';
import { discountsApi, discountsKey } from './api.ts';

/** The maximum page size of the list's API. */
const shown = 200;
/** '' means the whole organization. */
const fields = z.strictObject({
  organizationId: requiredOrganization,
  subscriptionId: z.string(),
  fromMonth: month,
});

export function GiveDialog({ discount, onClose }: { discount: Discount; onClose: () => void }) {
  const { t } = useTranslation('discounts');
  const format = useFormat();
  const { language } = format;
  const current = monthNow(useBrand((brand) => brand.timeZone));
  const form = useZodForm(fields, { organizationId: null, subscriptionId: '', fromMonth: current });
  const organization = form.watch('organizationId');
  const subscriptions = useQuery({
    ...subscriptionsQueries.adminListSubscriptions({
      limit: shown,
      ...(organization && { organizationId: organization.id }),
    }),
    enabled: organization !== null,
  });
  const isOpen = (state: string): boolean => state !== 'canceled' && state !== 'expired';
  const isFor = (serviceId: string): boolean =>
    discount.scope === null || discount.scope.some((each) => each.serviceId === serviceId);
  const open = organization
    ? (subscriptions.data?.items.filter(({ state, service }) => isOpen(state) && isFor(service.id)) ?? [])
    : [];
  const give = useCall(discountsApi.giveDiscount, { invalidates: [discountsKey()] });
  const name = inLanguage(discount.name, language);
  const title = t('discounts.give_title', { name });
  const submit = async ({ organizationId, subscriptionId, fromMonth }: z.output<typeof fields>) => {
    const { id } = required(organizationId, 'the form checked the organization');
    const given = await give.mutateAsync({
      discountId: discount.id,
      organizationId: id,
      ...(isId('sub', subscriptionId) && { subscriptionId }),
      // The organization's own time zone determines the current month.
      ...(fromMonth !== current && { fromMonth }),
    });
    toast.success(t('discounts.give_done', { organization: given.organization, name }));
  };
  return (
    <FormDialog
      form={form}
      title={title}
      confirm={t('discounts.give_confirm')}
      lead={
        <Typography variant="body2" color="textSecondary">
          {t('discounts.give_lead')}
        </Typography>
      }
      onSubmit={submit}
      onClose={onClose}
    >
      <OrganizationField form={form} name="organizationId" label={t('discounts.organization')} required />
      {open.length > 0 && (
        <SelectField
          form={form}
          name="subscriptionId"
          label={t('discounts.give_for')}
          options={[
            { value: '', label: t('discounts.give_all') },
            ...open.map(({ id, service }) => ({
              value: id,
              label: t('discounts.only_subscription', { service: service.name }),
            })),
          ]}
        />
      )}
      <SelectField
        form={form}
        name="fromMonth"
        label={t('discounts.give_from')}
        options={[
          {
            value: current,
            label: t('discounts.give_from_current', { month: format.month(current) }),
          },
          {
            value: addMonths(current, -1),
            label: t('discounts.give_from_before', { month: format.month(addMonths(current, -1)) }),
          },
        ]}
      />
    </FormDialog>
  );
}
