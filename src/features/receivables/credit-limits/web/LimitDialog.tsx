// Sets the most that may be outstanding: for all organizations or for one.
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import * as z from 'zod/mini';
import { required } from '#kernel/assert.ts';
import { withSymbol } from '#kernel/format-money.ts';
import type { Id } from '#kernel/ids.ts';
import { currencyCodes, moneyText, type Money } from '#kernel/money.ts';
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
import type { CreditLimit } from '../contract.ts';
import { creditLimitsApi, creditLimitsKey } from './api.ts';

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
          message: 'creditlimits.not_positive',
        });
    }),
  );
type Fields = z.output<typeof shape>;
/** Only one organization can be without a limit: for all of them, there is nothing to set. */
const isAmount = ({ appliesTo, kind }: Pick<Fields, 'appliesTo' | 'kind'>): boolean =>
  appliesTo === 'everyone' || kind === 'amount';

type LimitDialogProps = {
  /** A limit to change. */
  readonly limit?: CreditLimit | undefined;
  /** The organization that a limit is set for, and what is in force for it; any when left out. */
  readonly of?: { readonly organizationId: Id<'org'>; readonly limit: Money | undefined };
  readonly onClose: () => void;
};

const initialOf = ({ limit, of }: LimitDialogProps, usual: Fields['currency']): Fields => {
  const known = limit ?? (of && { organizationId: of.organizationId, organization: '', amount: of.limit });
  return {
    appliesTo: known && known.organizationId !== null ? 'one' : 'everyone',
    organization:
      known && known.organizationId !== null
        ? { id: known.organizationId, name: known.organization ?? '' }
        : null,
    kind: limit && limit.amount === null ? 'never' : 'amount',
    amount: known?.amount ? moneyText(known.amount) : '',
    currency: limit?.currency ?? of?.limit?.currency ?? usual,
  };
};

export function LimitDialog(props: LimitDialogProps) {
  const { limit, of, onClose } = props;
  const { t } = useTranslation('creditlimits');
  const format = useFormat();
  const form = useZodForm(shape, initialOf(props, useBrand().currency));
  const save = useCall(creditLimitsApi.setCreditLimit, {
    invalidates: [creditLimitsKey()],
    onSuccess: () => toast.success(t('creditlimits.saved')),
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
  const { appliesTo, kind, currency: chosen } = form.watch();
  const isBusy = form.formState.isSubmitting;
  const title = t(limit ? 'creditlimits.edit' : 'creditlimits.set');
  return (
    <Modal open width="xs" title={title} onClose={isBusy ? undefined : onClose}>
      <Stack sx={{ paddingBlock: 1 }}>
        <Form form={form} onSubmit={submit} label={title}>
          {!limit && !of && (
            <SelectField
              form={form}
              name="appliesTo"
              label={t('creditlimits.for')}
              options={[
                { value: 'everyone', label: t('creditlimits.everyone') },
                { value: 'one', label: t('creditlimits.one') },
              ]}
            />
          )}
          {!limit && !of && appliesTo === 'one' && (
            <OrganizationField
              form={form}
              name="organization"
              label={t('creditlimits.organization')}
              required
            />
          )}
          {appliesTo === 'one' && (
            <SelectField
              form={form}
              name="kind"
              label={t('creditlimits.rule')}
              help={kind === 'never' ? t('creditlimits.never_help') : undefined}
              options={[
                { value: 'amount', label: t('creditlimits.up_to_amount') },
                { value: 'never', label: t('creditlimits.never') },
              ]}
            />
          )}
          {!limit && (
            <SelectField
              form={form}
              name="currency"
              label={t('creditlimits.currency')}
              options={currencyCodes.map((code) => ({ value: code, label: code }))}
            />
          )}
          {isAmount({ appliesTo, kind }) && (
            <MoneyField
              form={form}
              name="amount"
              label={t('creditlimits.amount')}
              help={t('creditlimits.amount_help')}
              sign={withSymbol('', chosen, format.language)}
              autoComplete="off"
              required
            />
          )}
          <DialogButtons>
            <Button onClick={onClose} disabled={isBusy}>
              {t('ui.cancel')}
            </Button>
            <SubmitButton form={form} size="medium">
              {t('creditlimits.save')}
            </SubmitButton>
          </DialogButtons>
        </Form>
      </Stack>
    </Modal>
  );
}
