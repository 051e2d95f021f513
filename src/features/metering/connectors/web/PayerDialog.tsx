// Sets who pays: an existing subscription, a new one created along with the decision, or another option that
// the screen offers.
import type { ReactNode } from 'react';
import { useController, useWatch } from 'react-hook-form';
import * as z from 'zod/mini';
import type { Id } from '#kernel/ids.ts';
import { isDay, type LocalDay } from '#kernel/shape.ts';
import { FormDialog } from '#platform/web/form/FormDialog.tsx';
import { useProblemText } from '#platform/web/form/Field.tsx';
import { problem } from '#platform/web/form/problems.ts';
import { SelectField } from '#platform/web/form/SelectField.tsx';
import { PickerField } from '#platform/web/form/PickerField.tsx';
import { useZodForm, type FormOf } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { OrganizationField } from '#features/access/identity/web/parts.ts';
import type { Payer, PayerTarget } from '../contract.ts';
import { PayerPicker } from './PayerPicker.tsx';
import { ServicePicker, type ChosenService } from './ServicePicker.tsx';

// Named like the fields of the request, so that the server's errors appear at the right fields.
const shape = z
  .strictObject({
    how: z.string(),
    subscriptionId: z.nullable(z.custom<Payer>()),
    organizationId: z.nullable(z.custom<{ readonly id: Id<'org'>; readonly name: string }>()),
    serviceId: z.nullable(z.custom<ChosenService>()),
    startsOn: z.string(),
  })
  .check(
    z.check((context) => {
      const { how, subscriptionId, organizationId, serviceId, startsOn } = context.value;
      const needed: Readonly<Record<string, boolean>> =
        how === 'subscription'
          ? { subscriptionId: subscriptionId !== null }
          : how === 'new'
            ? {
                organizationId: organizationId !== null,
                serviceId: serviceId !== null,
                startsOn: isDay(startsOn),
              }
            : {};
      for (const [name, isGiven] of Object.entries(needed))
        if (!isGiven)
          context.issues.push({
            code: 'custom',
            input: null,
            path: [name],
            message: problem('form.required'),
          });
    }),
  );
type Fields = z.output<typeof shape>;

export type PayerDialogProps<Other extends string> = {
  readonly title: string;
  /** What is already known, and the default start day of a new subscription. */
  readonly known: {
    readonly how: PayerTarget['kind'];
    readonly payer: Payer | null;
    readonly organization?: Fields['organizationId'];
    readonly service?: ChosenService | null;
    readonly startsOn: LocalDay;
  };
  /** Options other than a payer. */
  readonly others?: readonly { readonly value: Other; readonly label: string }[];
  readonly before?: ReactNode;
  readonly after?: ReactNode;
  readonly submitLabel: string;
  readonly onSubmit: (to: PayerTarget | { readonly kind: Other }) => Promise<void>;
  readonly onClose: () => void;
};

export function PayerDialog<Other extends string = never>({
  title,
  known,
  others = [],
  before,
  after,
  submitLabel,
  onSubmit,
  onClose,
}: PayerDialogProps<Other>) {
  const { t } = useTranslation('connectors');
  const form = useZodForm(shape, {
    how: known.how,
    subscriptionId: known.payer,
    organizationId: known.organization ?? null,
    serviceId: known.service ?? null,
    startsOn: known.startsOn,
  });
  const how = useWatch({ control: form.control, name: 'how' });
  const submit = async (fields: Fields) => {
    const other = others.find(({ value }) => value === fields.how);
    const to = other ? { kind: other.value } : targetOf(fields);
    if (to) await onSubmit(to);
  };
  return (
    <FormDialog
      form={form}
      title={title}
      confirm={submitLabel}
      width="sm"
      onSubmit={submit}
      onClose={onClose}
    >
      {before}
      <SelectField
        form={form}
        name="how"
        label={t('connectors.assign_to')}
        options={[
          { value: 'subscription', label: t('connectors.assign_subscription') },
          { value: 'new', label: t('connectors.assign_new') },
          ...others,
        ]}
      />
      {how === 'subscription' && <PayerField form={form} />}
      {how === 'new' && <NewFields form={form} />}
      {after}
    </FormDialog>
  );
}

function targetOf({
  how,
  subscriptionId,
  organizationId,
  serviceId,
  startsOn,
}: Fields): PayerTarget | undefined {
  if (how === 'subscription')
    return subscriptionId ? { kind: 'subscription', subscriptionId: subscriptionId.id } : undefined;
  return organizationId && serviceId && isDay(startsOn)
    ? { kind: 'new', organizationId: organizationId.id, serviceId: serviceId.id, startsOn }
    : undefined;
}

type OfForm = { readonly form: FormOf<Fields, Fields> };

function NewFields({ form }: OfForm) {
  const { t } = useTranslation('connectors');
  return (
    <>
      <OrganizationField form={form} name="organizationId" label={t('connectors.organization')} required />
      <ServiceField form={form} />
      <PickerField
        form={form}
        name="startsOn"
        type="date"
        label={t('connectors.starts_on')}
        help={t('connectors.starts_help')}
        required
      />
    </>
  );
}

function PayerField({ form }: OfForm) {
  const { t } = useTranslation('connectors');
  const { field, fieldState } = useController({ control: form.control, name: 'subscriptionId' });
  return (
    <PayerPicker
      value={field.value}
      onChange={field.onChange}
      problem={useProblemText(t('connectors.subscription'), fieldState.error?.message)}
    />
  );
}

function ServiceField({ form }: OfForm) {
  const { t } = useTranslation('connectors');
  const { field, fieldState } = useController({ control: form.control, name: 'serviceId' });
  return (
    <ServicePicker
      value={field.value}
      onChange={field.onChange}
      problem={useProblemText(t('connectors.service'), fieldState.error?.message)}
    />
  );
}
