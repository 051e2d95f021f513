// Making a reseller, and saying to whom it sells.
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import * as z from 'zod/mini';
import { required } from '#kernel/assert.ts';
import { id, month, optionalText, text } from '#kernel/shape.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { Form, SubmitButton } from '#platform/web/form/Form.tsx';
import { SelectField } from '#platform/web/form/SelectField.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useBrand } from '#platform/web/shell/brand.ts';
import { monthNow, monthsLater } from '#platform/web/time/months.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { DialogButtons } from '#platform/web/ui/DialogButtons.tsx';
import { Modal } from '#platform/web/ui/Modal.tsx';
import { chosenOrganization, OrganizationField } from '#features/access/identity/web/parts.ts';
import { resellers, type Reseller, type ResoldSpan } from '../contract.ts';
import { resellersApi, resellersKey } from './api.ts';

const { numberPrefix, taxRate } = resellers.makeReseller.input.shape;
const makeShape = z.strictObject({
  organizationId: chosenOrganization.check(z.refine((chosen) => chosen !== null)),
  name: text(120),
  numberPrefix,
  taxRate,
  dueDays: z.string().check(z.regex(/^(36[0-5]|3[0-5]\d|[12]?\d{1,2})$/)),
  instructions: optionalText(1000),
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
  const isBusy = form.formState.isSubmitting;
  return (
    <Modal open width="sm" title={t('resellers.make')} onClose={isBusy ? undefined : onClose}>
      <Stack sx={{ paddingBlock: 1 }}>
        <Form
          form={form}
          label={t('resellers.make')}
          onSubmit={async ({ organizationId, dueDays, ...said }) => {
            await make.mutateAsync({
              ...said,
              organizationId: required(organizationId, 'the form checked the organization').id,
              dueDays: Number.parseInt(dueDays, 10),
            });
            onClose();
          }}
        >
          <OrganizationField form={form} name="organizationId" label={t('resellers.organization')} required />
          <TextField
            form={form}
            name="name"
            label={t('resellers.name')}
            help={t('resellers.name_help')}
            required
          />
          <TextField
            form={form}
            name="numberPrefix"
            label={t('resellers.number_prefix')}
            help={t('resellers.number_prefix_help')}
            required
          />
          <TextField
            form={form}
            name="taxRate"
            label={t('resellers.tax_rate')}
            inputMode="decimal"
            end="%"
            required
          />
          <TextField
            form={form}
            name="dueDays"
            label={t('resellers.due_days')}
            inputMode="numeric"
            required
          />
          <TextField
            form={form}
            name="instructions"
            label={t('resellers.how_to_pay')}
            help={t('resellers.instructions_help')}
            rows={3}
          />
          <DialogButtons>
            <Button onClick={onClose} disabled={isBusy}>
              {t('ui.cancel')}
            </Button>
            <SubmitButton form={form} size="medium">
              {t('resellers.make')}
            </SubmitButton>
          </DialogButtons>
        </Form>
      </Stack>
    </Modal>
  );
}

/** How many months back and ahead a change can begin here. */
const monthsAround = 12;
const sellShape = z.strictObject({
  organizationId: chosenOrganization.check(z.refine((chosen) => chosen !== null)),
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
  const isBusy = form.formState.isSubmitting;
  const title = t(span ? (isEnding ? 'resellers.end' : 'resellers.change_reseller') : 'resellers.assign');
  return (
    <Modal open width="xs" title={title} onClose={isBusy ? undefined : onClose}>
      <Stack sx={{ paddingBlock: 1 }}>
        <Form
          form={form}
          label={title}
          onSubmit={async ({ organizationId, resellerId, from }) => {
            await save.mutateAsync({
              organizationId: required(organizationId, 'the form checked the organization').id,
              resellerId: resellerId === '' ? null : resellerId,
              from,
            });
            onClose();
          }}
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
            options={Array.from({ length: 2 * monthsAround + 1 }, (_, index) => {
              const value = monthsLater(now, index - monthsAround);
              return { value, label: format.month(value) };
            })}
          />
          <DialogButtons>
            <Button onClick={onClose} disabled={isBusy}>
              {t('ui.cancel')}
            </Button>
            <SubmitButton form={form} size="medium">
              {t('resellers.save')}
            </SubmitButton>
          </DialogButtons>
        </Form>
      </Stack>
    </Modal>
  );
}
