// Sets mark-ups from a month on: one percentage for everything, and for single services their own percentage
// or amounts.
import { inLanguage } from '#kernel/language.ts';
import DeleteOutlined from '~icons/ic/outline-delete';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod/mini';
import { decimalText } from '#kernel/decimal.ts';
import { isId } from '#kernel/ids.ts';
import { id, month, unsignedDecimal, type BillingMonth } from '#kernel/shape.ts';
import { monthsFrom } from '#kernel/time.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { FormDialog } from '#platform/web/form/FormDialog.tsx';
import { SelectField } from '#platform/web/form/SelectField.tsx';
import { PercentField, TextField } from '#platform/web/form/TextField.tsx';
import { useProblemText } from '#platform/web/form/Field.tsx';
import { useRequired } from '#platform/web/form/use-required.ts';
import { useZodForm, type FormOf } from '#platform/web/form/use-zod-form.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useLanguage, useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { IconAction } from '#platform/web/ui/IconAction.tsx';
import { QueryState } from '#platform/web/ui/QueryState.tsx';
import { SelectBox } from '#platform/web/ui/SelectBox.tsx';
import type { Service } from '#features/selling/catalogue/contract.ts';
import { catalogueQueries } from '#features/selling/catalogue/web/parts.ts';
import { chargeKey } from '#features/selling/rating/contract.ts';
import { markUpPercent, type MarkUps } from '#features/selling/resale/contract.ts';
import { factorOf, noMarkUps, ownAmount, scaled } from '#features/selling/resale/rules.ts';
import type { MarkUpTerm } from '../contract.ts';
import { resellersApi, resellersKey } from './api.ts';

/** How many months ahead mark-ups can be set here. */
const monthsAhead = 12;
/** The price of the example. */
const examplePrice = '100';
/** The maximum number of services to choose from; the API accepts any. */
const mostOffered = 200;

const orNothing = z.literal('');
const shape = z.strictObject({
  from: month,
  percent: markUpPercent,
  services: z.array(
    z.strictObject({
      serviceId: id('svc'),
      percent: z.union([markUpPercent, orNothing]),
      charges: z.array(z.strictObject({ key: chargeKey, amount: z.union([unsignedDecimal, orNothing]) })),
    }),
  ),
});
type Typed = z.input<typeof shape>;
type Sent = z.output<typeof shape>;

/** The charges of a service that have a single amount, each with its current mark-up. */
const chargesOf = (service: Service | undefined, set: MarkUps['services'][number]['charges']) =>
  service
    ? service.charges
        .filter((charge) => ownAmount(charge) !== undefined)
        .map(({ key }) => ({ key, amount: set.find((each) => each.key === key)?.amount ?? '' }))
    : set.map(({ key, amount }) => ({ key, amount }));

const markUpsOf = ({ percent, services }: Sent): MarkUps => ({
  percent,
  services: services.map((each) => ({
    serviceId: each.serviceId,
    percent: each.percent === '' ? null : each.percent,
    charges: each.charges.filter(({ amount }) => amount !== ''),
  })),
});

type Given = {
  readonly latest: MarkUpTerm | undefined;
  readonly first: BillingMonth;
  readonly onClose: () => void;
};

export function MarkUpDialog(given: Given) {
  const query = useQuery(catalogueQueries.listServices({ limit: mostOffered }));
  return <QueryState query={query}>{({ items }) => <MarkUpForm {...given} offered={items} />}</QueryState>;
}

function MarkUpForm({ latest, first, onClose, offered }: Given & { readonly offered: readonly Service[] }) {
  const { t } = useTranslation('resellers');
  const format = useFormat();
  const markUps = latest?.markUps ?? noMarkUps;
  const form = useZodForm(shape, {
    from: first,
    percent: markUps.percent,
    services: markUps.services.map(({ serviceId, percent, charges }) => ({
      serviceId,
      percent: percent ?? '',
      charges: chargesOf(
        offered.find(({ id: each }) => each === serviceId),
        charges,
      ),
    })),
  });
  const save = useCall(resellersApi.saveMarkUps, {
    invalidates: [resellersKey()],
    onSuccess: () => toast.success(t('resellers.saved')),
  });
  const { percent } = form.watch();
  return (
    <FormDialog
      form={form}
      title={t('resellers.set_mark_ups')}
      confirm={t('resellers.save')}
      width="sm"
      onClose={onClose}
      onSubmit={(asked) => save.mutateAsync({ from: asked.from, markUps: markUpsOf(asked) })}
    >
      <SelectField
        form={form}
        name="from"
        label={t('resellers.from')}
        help={t('resellers.from_help')}
        options={monthsFrom(first, monthsAhead).map((value) => ({ value, label: format.month(value) }))}
      />
      <PercentField form={form} name="percent" label={t('resellers.percent')} required />
      {z.safeParse(markUpPercent, percent).success && (
        <Typography variant="body2" color="textSecondary" role="status">
          {t('resellers.example', {
            price: examplePrice,
            factor: decimalText(factorOf(percent)),
            retail: scaled(examplePrice, factorOf(percent)),
          })}
        </Typography>
      )}
      <Services form={form} offered={offered} />
    </FormDialog>
  );
}

/** Services with their own mark-ups. */
function Services({ form, offered }: { form: FormOf<Typed, Sent>; offered: readonly Service[] }) {
  const { t } = useTranslation('resellers');
  const [chosen, setChosen] = useState('');
  const required = useRequired(chosen !== '');
  const missing = useProblemText(t('resellers.service'), required.problem);
  const { services } = form.watch();
  const set = (next: Typed['services']) => form.setValue('services', next, { shouldDirty: true });
  const free = offered.filter(({ id: each }) => !services.some(({ serviceId }) => serviceId === each));
  const add = () => {
    if (!required.check()) return;
    const service = free.find((each) => each.id === chosen);
    if (!service || !isId('svc', chosen)) return;
    set([...services, { serviceId: service.id, percent: '', charges: chargesOf(service, []) }]);
    setChosen('');
  };
  return (
    <Stack component="section" sx={{ gap: 1.5 }}>
      <Typography variant="h3">{t('resellers.own_services')}</Typography>
      {services.map((each, index) => (
        <ServiceFields
          key={each.serviceId}
          form={form}
          index={index}
          charges={each.charges}
          service={offered.find((one) => one.id === each.serviceId)}
          onRemove={() => set(services.filter((one) => one !== each))}
        />
      ))}
      {free.length > 0 && (
        <Stack direction="row" sx={{ gap: 1, alignItems: 'start' }}>
          <Box sx={{ flex: 1, minWidth: 0 }}>
            <SelectBox
              fullWidth
              label={t('resellers.service')}
              value={chosen}
              options={[
                { value: '', label: t('resellers.choose_service') },
                ...free.map((service) => ({ value: service.id, label: service.name })),
              ]}
              onChange={setChosen}
              problem={missing}
            />
          </Box>
          <Button variant="outlined" sx={{ height: 40 }} onClick={add}>
            {t('resellers.add_service')}
          </Button>
        </Stack>
      )}
    </Stack>
  );
}

function ServiceFields({
  form,
  index,
  charges,
  service,
  onRemove,
}: {
  form: FormOf<Typed, Sent>;
  index: number;
  charges: Typed['services'][number]['charges'];
  service: Service | undefined;
  onRemove: () => void;
}) {
  const { t } = useTranslation('resellers');
  const language = useLanguage();
  const name = service?.name ?? t('resellers.service_gone');
  return (
    <Stack sx={{ gap: 1, padding: 1.5, borderRadius: '5px', bgcolor: 'sunken' }}>
      <Stack direction="row" sx={{ alignItems: 'center', gap: 1 }}>
        <Typography sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>{name}</Typography>
        <IconAction size="small" label={t('resellers.remove_service', { name })} onClick={onRemove}>
          <DeleteOutlined fontSize="small" />
        </IconAction>
      </Stack>
      <PercentField
        form={form}
        name={`services.${index}.percent`}
        label={t('resellers.percent_of', { name })}
        help={t('resellers.percent_of_help')}
      />
      {charges.map(({ key }, place) => {
        const charge = service?.charges.find((each) => each.key === key);
        return (
          <TextField
            key={key}
            form={form}
            name={`services.${index}.charges.${place}.amount`}
            label={t('resellers.own_amount', { name: inLanguage(charge?.name, language) ?? key })}
            help={charge && t('resellers.you_pay', { amount: ownAmount(charge) ?? '' })}
            inputMode="decimal"
            end={service?.pricing.currency}
          />
        );
      })}
    </Stack>
  );
}
