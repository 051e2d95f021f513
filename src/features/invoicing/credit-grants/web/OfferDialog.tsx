// Sets whether and under which terms customers can buy credit.
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useWatch } from 'react-hook-form';
import * as z from 'zod/mini';
import { catalogueQueries } from '#features/selling/catalogue/web/parts.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { DialogForm } from '#platform/web/form/DialogForm.tsx';
import { CheckField } from '#platform/web/form/SelectField.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { Modal } from '#platform/web/ui/Modal.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { maxOfferMonths, type CreditOffer } from '../contract.ts';
import { creditgrantsApi, creditgrantsKey, creditgrantsQueries } from './api.ts';
import { chargesOf, ChargesField, chosenCharges } from './ChargesField.tsx';
import { chosenServices, ServicesField } from './ServicesField.tsx';

const fields = z.strictObject({
  isOn: z.boolean(),
  services: chosenServices,
  charges: chosenCharges,
  usageOnly: z.boolean(),
  /** Empty: valid for any month. */
  months: z.string().check(
    z.trim(),
    z.refine(
      (typed) =>
        typed === '' || (/^\d{1,3}$/.test(typed) && Number(typed) >= 1 && Number(typed) <= maxOfferMonths),
      'creditgrants.months_wrong',
    ),
  ),
});

export function OfferDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('creditgrants');
  const query = useQuery(creditgrantsQueries.creditOffer());
  return (
    <Modal open width="sm" title={t('creditgrants.offer')} onClose={onClose}>
      <QueryState query={query} skeleton={<Lines count={5} />}>
        {(offer) => <Named offer={offer} onClose={onClose} />}
      </QueryState>
    </Modal>
  );
}

/** The offer has the ids of services; the form shows their names. */
function Named({ offer, onClose }: { offer: CreditOffer; onClose: () => void }) {
  const query = useQuery(catalogueQueries.adminListServices({ limit: 200 }));
  return (
    <QueryState query={query} skeleton={<Lines count={5} />}>
      {({ items }) => (
        <OfferForm
          offer={offer}
          names={new Map(items.map((service): [string, string] => [service.id, service.name]))}
          onClose={onClose}
        />
      )}
    </QueryState>
  );
}

function OfferForm({
  offer,
  names,
  onClose,
}: {
  offer: CreditOffer;
  names: ReadonlyMap<string, string>;
  onClose: () => void;
}) {
  const { t } = useTranslation('creditgrants');
  const form = useZodForm(fields, {
    isOn: offer.isOn,
    // Charges on their own also imply the services.
    services: (offer.services ?? [...new Set((offer.charges ?? []).map(({ serviceId }) => serviceId))]).map(
      (id) => ({ id, name: names.get(id) ?? id }),
    ),
    charges: [...(offer.charges ?? [])],
    usageOnly: offer.usageOnly,
    months: offer.months === null ? '' : String(offer.months),
  });
  const isOn = useWatch({ control: form.control, name: 'isOn' });
  const save = useCall(creditgrantsApi.setCreditOffer, {
    invalidates: [creditgrantsKey()],
    onSuccess: () => {
      toast.success(t('creditgrants.offer_saved'));
      onClose();
    },
  });
  const submit = ({ isOn: sells, services, charges, usageOnly, months }: z.output<typeof fields>) =>
    save.mutateAsync({
      isOn: sells,
      services: services.length === 0 ? null : services.map(({ id }) => id),
      charges: chargesOf(services, charges),
      usageOnly,
      months: months === '' ? null : Number.parseInt(months, 10),
    });
  return (
    <DialogForm
      form={form}
      label={t('creditgrants.offer')}
      confirm={t('creditgrants.offer_save')}
      lead={
        <Typography variant="body2" color="textSecondary">
          {t('creditgrants.offer_lead')}
        </Typography>
      }
      onSubmit={submit}
      onClose={onClose}
    >
      <CheckField form={form} name="isOn" label={t('creditgrants.offer_on')} as="switch" />
      {isOn && (
        <>
          <ServicesField
            form={form}
            name="services"
            label={t('creditgrants.services')}
            help={t('creditgrants.services_help')}
          />
          <ChargesField form={form} name="charges" services="services" />
          <CheckField form={form} name="usageOnly" label={t('creditgrants.usage_only_field')} />
          <TextField
            form={form}
            name="months"
            label={t('creditgrants.offer_months')}
            help={t('creditgrants.offer_months_help')}
            inputMode="numeric"
            autoComplete="off"
          />
        </>
      )}
    </DialogForm>
  );
}
