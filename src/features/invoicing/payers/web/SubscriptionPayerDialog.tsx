// Sets who pays for one subscription from a month on: another organization, or again the payer of the other
// subscriptions.
import { useQuery } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { required } from '#kernel/assert.ts';
import { isId } from '#kernel/ids.ts';
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
import { subscriptionsQueries } from '#features/selling/subscriptions/web/parts.ts';
import type { SubscriptionPayerSpan } from '../contract.ts';
import { payersApi, payersKey } from './api.ts';
import { payerIsChosen, useMonthsToChoose } from './payer-words.ts';

/** The maximum page size of the list's API. */
const shown = 200;

const shape = z
  .strictObject({
    organizationId: requiredOrganization,
    subscriptionId: z.string().check(z.refine((chosen) => isId('sub', chosen))),
    paidBy: z.enum(['another', 'organization']),
    payerId: chosenOrganization,
    from: month,
  })
  .check(payerIsChosen);

export type SubscriptionPayerDialogProps = {
  /** The span to change; undefined to choose a subscription. */
  readonly span: SubscriptionPayerSpan | undefined;
  readonly isEnding: boolean;
  readonly onClose: () => void;
};

export function SubscriptionPayerDialog({ span, isEnding, onClose }: SubscriptionPayerDialogProps) {
  const { t } = useTranslation('payers');
  const { now, options } = useMonthsToChoose();
  const form = useZodForm(shape, {
    organizationId: span ? { id: span.organizationId, name: span.organization } : null,
    subscriptionId: span?.subscriptionId ?? '',
    paidBy: isEnding ? 'organization' : 'another',
    payerId: span && !isEnding ? { id: span.payerId, name: span.payer } : null,
    // For a planned payer, the month in which it starts.
    from: span && span.from > now ? span.from : now,
  });
  const { organizationId: organization, paidBy } = form.watch();
  const found = useQuery({
    ...subscriptionsQueries.adminListSubscriptions({
      limit: shown,
      sort: 'name',
      ...(organization && { organizationId: organization.id }),
    }),
    enabled: organization !== null && span === undefined,
  });
  const subscriptions = span
    ? [{ value: span.subscriptionId as string, label: span.service }]
    : ((organization && found.data?.items) ?? []).map(({ id, service }) => ({
        value: id as string,
        label: service.name,
      }));
  const save = useCall(payersApi.setSubscriptionPayer, {
    invalidates: [payersKey()],
    onSuccess: () => toast.success(t('payers.saved')),
  });
  const submit = async ({ subscriptionId, paidBy: by, payerId, from }: z.output<typeof shape>) => {
    if (!isId('sub', subscriptionId)) return;
    await save.mutateAsync({
      subscriptionId,
      payerId: by === 'organization' ? null : required(payerId, 'the form checked the payer').id,
      from,
    });
  };
  const title = t(
    span ? (isEnding ? 'payers.subscription_end' : 'payers.subscription_change') : 'payers.subscription_set',
  );
  return (
    <FormDialog form={form} title={title} confirm={t('payers.save')} onSubmit={submit} onClose={onClose}>
      <OrganizationField
        form={form}
        name="organizationId"
        label={t('payers.organization')}
        disabled={span !== undefined}
        required
      />
      <SelectField
        form={form}
        name="subscriptionId"
        label={t('payers.subscription')}
        disabled={span !== undefined}
        required
        options={[
          {
            value: '',
            label: t(
              found.data?.items.length === 0 ? 'payers.subscription_none' : 'payers.subscription_choose',
            ),
          },
          ...subscriptions,
        ]}
      />
      <SelectField
        form={form}
        name="paidBy"
        label={t('payers.paid_by')}
        help={t('payers.subscription_help')}
        options={[
          { value: 'another', label: t('payers.another') },
          { value: 'organization', label: t('payers.with_organization') },
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
