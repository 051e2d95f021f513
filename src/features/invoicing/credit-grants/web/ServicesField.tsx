// Chooses several services by searching for them; choosing none means all services.
import Autocomplete from '@mui/material/Autocomplete';
import MuiTextField from '@mui/material/TextField';
import { useController, type FieldValues } from 'react-hook-form';
import * as z from 'zod/mini';
import type { Id } from '#kernel/ids.ts';
import { catalogueQueries } from '#features/selling/catalogue/web/parts.ts';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { useProblemText, type FieldLook } from '#platform/web/form/Field.tsx';
import { useSearchText } from '#platform/web/form/SearchPicker.tsx';
import type { InForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';

/** The field's value: services with their names, so that it can show them without a request. */
export const chosenServices = z.array(
  z.strictObject({ id: z.custom<Id<'svc'>>((value) => typeof value === 'string'), name: z.string() }),
);
export type ChosenServices = z.output<typeof chosenServices>;
type Chosen = ChosenServices[number];
const shown = 20;

export function ServicesField<In extends FieldValues, Sent>({
  form,
  name,
  label,
  help,
  of,
  all,
}: InForm<In, Sent> &
  Pick<FieldLook, 'label' | 'help'> & {
    /** The services to choose from; all of the catalogue if left out. */
    readonly of?: ChosenServices;
    /** The meaning of choosing none, if it is not all services. */
    readonly all?: string;
  }) {
  const { t } = useTranslation('creditgrants');
  const { field, fieldState } = useController({ control: form.control, name });
  // The form library cannot infer the field's type from a dynamic path; fields of this component have this
  // type.
  const value = (field.value ?? []) as Chosen[];
  const problem = useProblemText(label, fieldState.error?.message);
  const { search, onType } = useSearchText(undefined);
  const found = usePagedQuery({
    ...catalogueQueries.adminListServices({ limit: shown, ...(search !== '' && { q: search }) }),
    enabled: of === undefined,
  });
  const options =
    of?.filter(({ name: each }) => each.toLowerCase().includes(search.toLowerCase())) ??
    found.data?.items.map((service): Chosen => ({ id: service.id, name: service.name })) ??
    [];
  return (
    <Autocomplete<Chosen, true>
      multiple
      value={value}
      onChange={(_, next) => field.onChange(next)}
      onInputChange={(_event, text) => onType(text)}
      // They are already filtered.
      filterOptions={(options) => options}
      filterSelectedOptions
      onBlur={field.onBlur}
      options={options}
      getOptionLabel={(one) => one.name}
      getOptionKey={(one) => one.id}
      isOptionEqualToValue={(one, other) => one.id === other.id}
      loading={found.isFetching}
      loadingText={t('picker.searching')}
      noOptionsText={t('creditgrants.no_service')}
      openText={t('picker.open_of', { label })}
      closeText={t('ui.close')}
      clearText={t('ui.clear')}
      size="small"
      renderInput={(params) => (
        <MuiTextField
          {...params}
          inputRef={field.ref}
          label={label}
          placeholder={value.length === 0 ? (all ?? t('creditgrants.all_services')) : ''}
          error={problem !== undefined}
          helperText={problem ?? help ?? ' '}
          slotProps={{ ...params.slotProps, inputLabel: { ...params.slotProps.inputLabel, shrink: true } }}
        />
      )}
    />
  );
}
