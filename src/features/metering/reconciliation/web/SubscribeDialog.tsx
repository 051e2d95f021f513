// Lets somebody pay for what is unbilled: a subscription that exists, or a new one, filled in as far as is known.
import Button from '@mui/material/Button';
import * as z from 'zod/mini';
import { useController, useWatch } from 'react-hook-form';
import { isDay } from '#kernel/shape.ts';
import { dayPeriod, monthOf, monthPeriod, dayOf } from '#kernel/time.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { Form, SubmitButton } from '#platform/web/form/Form.tsx';
import { finished } from '#platform/web/form/problems.ts';
import { SelectField } from '#platform/web/form/SelectField.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm, type FormOf } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useBrand } from '#platform/web/shell/brand.ts';
import { nowMs } from '#platform/web/time/clock.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { DialogButtons } from '#platform/web/ui/DialogButtons.tsx';
import { Modal } from '#platform/web/ui/Modal.tsx';
import type { Id } from '#kernel/ids.ts';
import { OrganizationField } from '#features/access/identity/web/parts.ts';
import { PayerPicker } from '#features/metering/connectors/web/parts.ts';
import type { Payer } from '#features/metering/connectors/contract.ts';
import type { Finding } from '../contract.ts';
import { reconciliationApi, reconciliationKey } from './api.ts';
import { nameOf } from './finding-words.tsx';
import { ServicePicker, type ChosenService } from './ServicePicker.tsx';

const ways = ['new', 'existing'] as const;
const shape = z
  .strictObject({
    how: z.enum(ways),
    payer: z.nullable(z.custom<Payer>()),
    organization: z.nullable(z.custom<{ readonly id: Id<'org'>; readonly name: string }>()),
    service: z.nullable(z.custom<ChosenService>()),
    startsOn: z.string(),
  })
  .check(
    z.check((context) => {
      const { how, payer, organization, service, startsOn } = context.value;
      const needed =
        how === 'existing'
          ? [['payer', payer !== null] as const]
          : [
              ['organization', organization !== null] as const,
              ['service', service !== null] as const,
              ['startsOn', isDay(startsOn)] as const,
            ];
      for (const [path, isGiven] of needed)
        if (!isGiven)
          context.issues.push({
            code: 'too_small',
            origin: 'string',
            minimum: 1,
            inclusive: true,
            input: '',
            path: [path],
          });
    }),
  );
type Fields = z.output<typeof shape>;

export function SubscribeDialog({
  finding,
  onClose,
  onDone,
}: {
  finding: Finding;
  onClose: () => void;
  onDone: () => void;
}) {
  const { t } = useTranslation('reconciliation');
  const zone = useBrand((brand) => brand.timeZone);
  const { subscription, suggested, service, since, cause } = finding;
  const month = monthPeriod(monthOf(new Date(nowMs()), zone), zone);
  const begin = since && since > month.start ? since : month.start;
  const known =
    subscription && cause !== 'ended'
      ? { id: subscription.id, name: subscription.name, organization: subscription.organization }
      : null;
  const form = useZodForm(shape, {
    how: known ? 'existing' : 'new',
    payer: known,
    organization: subscription
      ? { id: subscription.organizationId, name: subscription.organization }
      : suggested,
    service,
    startsOn: dayOf(begin, zone),
  });
  const how = useWatch({ control: form.control, name: 'how' });
  const subscribe = useCall(reconciliationApi.subscribeFinding, { invalidates: [reconciliationKey()] });
  const name = nameOf(finding);
  const submit = async ({ payer, organization, service: chosen, startsOn }: Fields) => {
    if (how === 'existing' && payer)
      await subscribe.mutateAsync({
        findingId: finding.id,
        to: { kind: 'existing', subscriptionId: payer.id },
      });
    else if (organization && chosen && isDay(startsOn))
      await subscribe.mutateAsync({
        findingId: finding.id,
        to: {
          kind: 'new',
          organizationId: organization.id,
          serviceId: chosen.id,
          startedAt: dayPeriod(startsOn, zone).start,
        },
      });
    toast.success(t('reconciliation.subscribed', { name }));
    onDone();
  };
  const title = t('reconciliation.subscribe_title', { name });
  return (
    <Modal open width="sm" title={title} onClose={form.formState.isSubmitting ? undefined : onClose}>
      <Form form={form} onSubmit={submit} label={title}>
        {/* used as: 'reconciliation.subscribe_*' */}
        <SelectField
          form={form}
          name="how"
          label={t('reconciliation.subscribe_how')}
          options={ways.map((value) => ({ value, label: t(`reconciliation.subscribe_${value}`) }))}
        />
        {how === 'existing' ? (
          <PayerField form={form} />
        ) : (
          <>
            <OrganizationField
              form={form}
              name="organization"
              label={t('reconciliation.organization')}
              required
            />
            <ServiceField form={form} />
            <TextField
              form={form}
              name="startsOn"
              type="date"
              label={t('reconciliation.starts_on')}
              help={t('reconciliation.starts_help')}
              required
            />
          </>
        )}
        <DialogButtons>
          <Button onClick={onClose} disabled={form.formState.isSubmitting}>
            {t('ui.cancel')}
          </Button>
          <SubmitButton form={form} size="medium">
            {t('reconciliation.subscribe')}
          </SubmitButton>
        </DialogButtons>
      </Form>
    </Modal>
  );
}

type OfForm = { readonly form: FormOf<Fields, Fields> };

function PayerField({ form }: OfForm) {
  const { field, fieldState } = useController({ control: form.control, name: 'payer' });
  const problem = fieldState.error?.message;
  return (
    <PayerPicker
      value={field.value}
      onChange={field.onChange}
      problem={problem === undefined ? undefined : finished(problem)}
    />
  );
}

function ServiceField({ form }: OfForm) {
  const { field, fieldState } = useController({ control: form.control, name: 'service' });
  const problem = fieldState.error?.message;
  return (
    <ServicePicker
      value={field.value}
      onChange={field.onChange}
      problem={problem === undefined ? undefined : finished(problem)}
    />
  );
}
