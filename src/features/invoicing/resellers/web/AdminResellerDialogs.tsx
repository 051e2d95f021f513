// Creates a reseller, and sets to whom it sells.
import * as z from 'zod/mini';
import { required } from '#kernel/assert.ts';
import { id, month } from '#kernel/shape.ts';
import { addMonths, monthsFrom } from '#kernel/time.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { FormDialog } from '#platform/web/form/FormDialog.tsx';
import { SelectField } from '#platform/web/form/SelectField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useBrand } from '#platform/web/shell/brand.ts';
import { monthNow } from '#platform/web/time/months.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { OrganizationField, requiredOrganization } from '#features/access/identity/web/parts.ts';
import type { Reseller, ResoldSpan } from '../contract.ts';
import { resellersApi, resellersKey } from './api.ts';
import { ResellerFields, resellerFieldNames, resellerInput, resellerShape } from './ResellerFields.tsx';

const makeShape = z.strictObject({
  organizationId: requiredOrganization,
  ...resellerShape,
});

export function MakeReseller({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('resellers');
  const form = useZodForm(makeShape, {
    organizationId: null,
    name: '',
    numberPrefix: '',
    taxRate: '5',
    dueDays: '30',
    instructions: '',
  });
  const make = useCall(resellersApi.makeReseller, {
    invalidates: [resellersKey()],
    onSuccess: () => toast.success(t('resellers.saved')),
  });
  return (
    <FormDialog
      form={form}
      title={t('resellers.make')}
      confirm={t('resellers.make')}
      width="sm"
      onClose={onClose}
      onSubmit={({ organizationId, ...details }) =>
        make.mutateAsync({
          ...resellerInput(details),
          organizationId: required(organizationId, 'the form checked the organization').id,
        })
      }
    >
      <OrganizationField form={form} name="organizationId" label={t('resellers.organization')} required />
      <ResellerFields form={form} names={resellerFieldNames} />
    </FormDialog>
  );
}

/** How many months back and ahead a change can start here. */
const monthsAround = 12;
const sellShape = z.strictObject({
  organizationId: requiredOrganization,
  resellerId: z.union([id('org'), z.literal('')]),
  from: month,
});

export function SellThrough({
  span,
  isEnding,
  resellers: known,
  onClose,
}: {
  span: ResoldSpan | undefined;
  isEnding: boolean;
  resellers: readonly Reseller[];
  onClose: () => void;
}) {
  const { t } = useTranslation('resellers');
  const format = useFormat();
  const now = monthNow(useBrand((brand) => brand.timeZone));
  const selling = known.filter(({ stoppedAt }) => stoppedAt === null);
  const form = useZodForm(sellShape, {
    organizationId: span ? { id: span.organizationId, name: span.organization } : null,
    resellerId: isEnding ? '' : (span?.resellerId ?? selling[0]?.organizationId ?? ''),
    from: span && span.from > now ? span.from : now,
  });
  const save = useCall(resellersApi.setReseller, {
    invalidates: [resellersKey()],
    onSuccess: () => toast.success(t('resellers.saved')),
  });
  const title = t(span ? (isEnding ? 'resellers.end' : 'resellers.change_reseller') : 'resellers.assign');
  return (
    <FormDialog
      form={form}
      title={title}
      confirm={t(span && form.watch('resellerId') === '' ? 'resellers.end' : 'resellers.save')}
      onClose={onClose}
      onSubmit={({ organizationId, resellerId, from }) =>
        save.mutateAsync({
          organizationId: required(organizationId, 'the form checked the organization').id,
          resellerId: resellerId === '' ? null : resellerId,
          from,
        })
      }
    >
      <OrganizationField
        form={form}
        name="organizationId"
        label={t('resellers.customer')}
        disabled={span !== undefined}
        required
      />
      <SelectField
        form={form}
        name="resellerId"
        label={t('resellers.seller')}
        options={[
          ...selling.map(({ organizationId, name }) => ({ value: organizationId, label: name })),
          ...(span ? [{ value: '' as const, label: t('resellers.nobody') }] : []),
        ]}
      />
      <SelectField
        form={form}
        name="from"
        label={t('resellers.from')}
        help={t('resellers.from_billed_help')}
        options={monthsFrom(addMonths(now, -monthsAround), 2 * monthsAround + 1).map((value) => ({
          value,
          label: format.month(value),
        }))}
      />
    </FormDialog>
  );
}
