// Sets who pays for an organization from a month on: another organization, or itself again.
import * as z from 'zod/mini';
import { required } from '#kernel/assert.ts';
import { month } from '#kernel/shape.ts';
import { FormDialog } from '#platform/web/form/FormDialog.tsx';
import { SelectField } from '#platform/web/form/SelectField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import {
  chosenOrganization,
  OrganizationField,
  requiredOrganization,
} from '#features/access/identity/web/parts.ts';
import type { PayerSpan } from '../contract.ts';
import { payersApi, payersKey } from './api.ts';
import { payerIsChosen, useMonthsToChoose } from './payer-words.ts';

const shape = z
  .strictObject({
    organizationId: requiredOrganization,
    paidBy: z.enum(['another', 'itself']),
    payerId: chosenOrganization,
    from: month,
  })
  .check(payerIsChosen);

export type PayerDialogProps = {
  /** The span to change; undefined to choose an organization. */
  readonly span: PayerSpan | undefined;
  readonly isEnding: boolean;
  readonly onClose: () => void;
};

export function PayerDialog({ span, isEnding, onClose }: PayerDialogProps) {
  const { t } = useTranslation('payers');
  const { now, options } = useMonthsToChoose();
  const form = useZodForm(shape, {
    organizationId: span ? { id: span.organizationId, name: span.organization } : null,
    paidBy: isEnding ? 'itself' : 'another',
    payerId: span && !isEnding ? { id: span.payerId, name: span.payer } : null,
    // For a planned payer, the month in which it starts.
    from: span && span.from > now ? span.from : now,
  });
  const save = useCall(payersApi.setPayer, {
    invalidates: [payersKey()],
    onSuccess: () => toast.success(t('payers.saved')),
  });
  const submit = async ({ organizationId, paidBy, payerId, from }: z.output<typeof shape>) => {
    await save.mutateAsync({
      organizationId: required(organizationId, 'the form checked the organization').id,
      payerId: paidBy === 'itself' ? null : required(payerId, 'the form checked the payer').id,
      from,
    });
  };
  const { paidBy } = form.watch();
  const title = t(span ? (isEnding ? 'payers.end' : 'payers.change') : 'payers.set');
  return (
    <FormDialog
      form={form}
      title={title}
      confirm={t(span && paidBy === 'itself' ? 'payers.end' : 'payers.save')}
      onSubmit={submit}
      onClose={onClose}
    >
      <OrganizationField
        form={form}
        name="organizationId"
        label={t('payers.organization')}
        disabled={span !== undefined}
        required
      />
      <SelectField
        form={form}
        name="paidBy"
        label={t('payers.paid_by')}
        options={[
          { value: 'another', label: t('payers.another') },
          { value: 'itself', label: t('payers.itself_option') },
        ]}
      />
      {paidBy === 'another' && (
        <OrganizationField form={form} name="payerId" label={t('payers.payer')} required />
      )}
      <SelectField
        form={form}
        name="from"
        label={t('payers.from')}
        help={t('payers.from_help')}
        options={options}
      />
    </FormDialog>
  );
}
