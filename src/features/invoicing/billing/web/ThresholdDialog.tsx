// Sets from which amount of unbilled usage interim bills are issued: for all organizations or for one.
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import * as z from 'zod/mini';
import { required } from '#kernel/assert.ts';
import { withSymbol } from '#kernel/format-money.ts';
import { currencyCodes, moneyText } from '#kernel/money.ts';
import { currency } from '#kernel/shape.ts';
import { problem } from '#platform/web/form/problems.ts';
import { Form, SubmitButton } from '#platform/web/form/Form.tsx';
import { SelectField } from '#platform/web/form/SelectField.tsx';
import { MoneyField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { useBrand } from '#platform/web/shell/brand.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { DialogButtons } from '#platform/web/ui/DialogButtons.tsx';
import { Modal } from '#platform/web/ui/Modal.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { chosenOrganization, OrganizationField } from '#features/access/identity/web/parts.ts';
import { typedAmount } from '#features/invoicing/credit-grants/web/parts.ts';
import type { InterimThreshold } from '../contract-interim.ts';
import { billingApi, billingKey } from './api.ts';

const shape = z
  .strictObject({
    appliesTo: z.enum(['everyone', 'one']),
    organization: chosenOrganization,
    kind: z.enum(['amount', 'never']),
    amount: z.string(),
    currency,
  })
  .check(
    z.check((context) => {
      const { appliesTo, organization, kind, amount, currency: of } = context.value;
      if (appliesTo === 'one' && organization === null)
        context.issues.push({
          code: 'custom',
          input: organization,
          path: ['organization'],
          message: problem('form.required'),
        });
      if (isAmount({ appliesTo, kind }) && !typedAmount(amount, of))
        context.issues.push({
          code: 'custom',
          input: amount,
          path: ['amount'],
          message: 'billing.threshold_not_positive',
        });
    }),
  );
type Fields = z.output<typeof shape>;
/** Only one organization can be without interim bills: for all of them, there is nothing to set. */
const isAmount = ({ appliesTo, kind }: Pick<Fields, 'appliesTo' | 'kind'>): boolean =>
  appliesTo === 'everyone' || kind === 'amount';

export function ThresholdDialog({
  threshold,
  onClose,
}: {
  threshold: InterimThreshold | undefined;
  onClose: () => void;
}) {
  const { t } = useTranslation('billing');
  const format = useFormat();
  const brand = useBrand();
  const form = useZodForm(shape, {
    appliesTo: threshold && threshold.organizationId !== null ? 'one' : 'everyone',
    organization:
      threshold && threshold.organizationId !== null
        ? { id: threshold.organizationId, name: threshold.organization ?? '' }
        : null,
    kind: threshold && threshold.amount === null ? 'never' : 'amount',
    amount: threshold?.amount ? moneyText(threshold.amount) : '',
    currency: threshold?.currency ?? brand.currency,
  });
  const save = useCall(billingApi.setInterimThreshold, {
    invalidates: [billingKey('listInterimThresholds')],
    onSuccess: () => toast.success(t('billing.interim_saved')),
  });
  const submit = async (fields: Fields) => {
    await save.mutateAsync({
      organizationId:
        fields.appliesTo === 'everyone'
          ? null
          : required(fields.organization, 'the form checked the organization').id,
      currency: fields.currency,
      amount: isAmount(fields)
        ? required(typedAmount(fields.amount, fields.currency), 'the form checked the amount')
        : null,
    });
    onClose();
  };
  const { appliesTo, kind, currency: of } = form.watch();
  const isBusy = form.formState.isSubmitting;
  const title = t(threshold ? 'billing.interim_edit' : 'billing.interim_set');
  return (
    <Modal open width="xs" title={title} onClose={isBusy ? undefined : onClose}>
      <Stack sx={{ paddingBlock: 1 }}>
        <Form form={form} onSubmit={submit} label={title}>
          {!threshold && (
            <SelectField
              form={form}
              name="appliesTo"
              label={t('billing.interim_for')}
              options={[
                { value: 'everyone', label: t('billing.interim_everyone') },
                { value: 'one', label: t('billing.interim_one') },
              ]}
            />
          )}
          {!threshold && appliesTo === 'one' && (
            <OrganizationField
              form={form}
              name="organization"
              label={t('billing.interim_organization')}
              required
            />
          )}
          {appliesTo === 'one' && (
            <SelectField
              form={form}
              name="kind"
              label={t('billing.interim_rule')}
              help={kind === 'never' ? t('billing.interim_never_help') : undefined}
              options={[
                { value: 'amount', label: t('billing.interim_from_amount') },
                { value: 'never', label: t('billing.interim_never') },
              ]}
            />
          )}
          {!threshold && (
            <SelectField
              form={form}
              name="currency"
              label={t('billing.interim_currency')}
              options={currencyCodes.map((code) => ({ value: code, label: code }))}
            />
          )}
          {isAmount({ appliesTo, kind }) && (
            <MoneyField
              form={form}
              name="amount"
              label={t('billing.interim_amount')}
              help={t('billing.interim_amount_help')}
              sign={withSymbol('', of, format.language)}
              autoComplete="off"
              required
            />
          )}
          <DialogButtons>
            <Button onClick={onClose} disabled={isBusy}>
              {t('ui.cancel')}
            </Button>
            <SubmitButton form={form} size="medium">
              {t('billing.interim_save')}
            </SubmitButton>
          </DialogButtons>
        </Form>
      </Stack>
    </Modal>
  );
}
