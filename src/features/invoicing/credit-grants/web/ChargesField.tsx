// Chooses single charges of the chosen services; choosing none means all charges. Renders nothing while no
// chosen service has several charges.
import { inLanguage } from '#kernel/language.ts';
import Autocomplete from '@mui/material/Autocomplete';
import Box from '@mui/material/Box';
import MuiTextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useQueries } from '@tanstack/react-query';
import { useController, useWatch, type FieldPath, type FieldValues } from 'react-hook-form';
import * as z from 'zod/mini';
import type { Id } from '#kernel/ids.ts';
import { catalogueQueries } from '#features/selling/catalogue/web/parts.ts';
import { useProblemText } from '#platform/web/form/Field.tsx';
import type { InForm } from '#platform/web/form/use-zod-form.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import type { ChosenServices } from './ServicesField.tsx';

/** The field's value: charges by service and key. */
export const chosenCharges = z.array(
  z.strictObject({
    serviceId: z.custom<Id<'svc'>>((value) => typeof value === 'string'),
    chargeKey: z.string(),
  }),
);
type Chosen = z.output<typeof chosenCharges>[number];
type Option = Chosen & { readonly service: string; readonly label: string };

/** The charges of services that are still chosen; null (all charges) if there are none. */
export function chargesOf(services: ChosenServices, charges: readonly Chosen[]): Chosen[] | null {
  const kept = charges.filter((charge) => services.some(({ id }) => id === charge.serviceId));
  return kept.length === 0 ? null : kept;
}

export function ChargesField<In extends FieldValues, Sent>({
  form,
  name,
  services: servicesName,
}: InForm<In, Sent> & {
  /** The field with the chosen services. */
  readonly services: FieldPath<In>;
}) {
  const { t } = useTranslation('creditgrants');
  const { language } = useFormat();
  const label = t('creditgrants.charges');
  const { field, fieldState } = useController({ control: form.control, name });
  const problem = useProblemText(label, fieldState.error?.message);
  // The form library cannot infer field types from dynamic paths; these fields have these types.
  const services = useWatch({ control: form.control, name: servicesName }) as ChosenServices;
  const chosen = (field.value ?? []) as Chosen[];
  const options = useQueries({
    queries: services.map(({ id }) => catalogueQueries.adminGetService({ serviceId: id })),
    combine: (results) =>
      results.flatMap(({ data }): Option[] =>
        data?.pricing.model === 'rate_card'
          ? data.pricing.charges.map((charge) => ({
              serviceId: data.id,
              chargeKey: charge.key,
              service: data.name,
              label: inLanguage(charge.name, language),
            }))
          : [],
      ),
  });
  if (options.length === 0) return null;
  const value = options.filter((option) =>
    chosen.some((each) => each.serviceId === option.serviceId && each.chargeKey === option.chargeKey),
  );
  return (
    <Autocomplete<Option, true>
      multiple
      disableCloseOnSelect
      value={value}
      onChange={(_, next) =>
        field.onChange(next.map(({ serviceId, chargeKey }): Chosen => ({ serviceId, chargeKey })))
      }
      filterSelectedOptions
      onBlur={field.onBlur}
      options={options}
      groupBy={(option) => option.service}
      // Screen readers do not support a list within a list box, but a named group of options.
      renderGroup={({ key, group, children }) => (
        <Box component="li" key={key} role="group" aria-label={group}>
          <Typography
            aria-hidden
            variant="caption"
            component="div"
            color="textSecondary"
            sx={{ padding: '8px 16px 2px', overflowWrap: 'anywhere' }}
          >
            {group}
          </Typography>
          <Box component="ul" role="presentation" sx={{ padding: 0 }}>
            {children}
          </Box>
        </Box>
      )}
      getOptionLabel={(option) => option.label}
      getOptionKey={(option) => `${option.serviceId} ${option.chargeKey}`}
      isOptionEqualToValue={(one, other) =>
        one.serviceId === other.serviceId && one.chargeKey === other.chargeKey
      }
      noOptionsText={t('creditgrants.no_charge')}
      openText={t('picker.open_of', { label })}
      closeText={t('ui.close')}
      clearText={t('ui.clear')}
      size="small"
      renderInput={(params) => (
        <MuiTextField
          {...params}
          inputRef={field.ref}
          label={label}
          placeholder={value.length === 0 ? t('creditgrants.all_charges') : ''}
          error={problem !== undefined}
          helperText={problem ?? t('creditgrants.charges_help')}
          slotProps={{ ...params.slotProps, inputLabel: { ...params.slotProps.inputLabel, shrink: true } }}
        />
      )}
    />
  );
}
