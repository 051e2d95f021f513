// Chooses an organization by searching for it; there may be hundreds of thousands.
import Autocomplete from '@mui/material/Autocomplete';
import MuiTextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useController, type FieldValues } from 'react-hook-form';
import type { Id } from '#kernel/ids.ts';
import { useProblemText, type FieldLook } from '#platform/web/form/Field.tsx';
import type { InForm } from '#platform/web/form/use-zod-form.ts';
import { identityQueries } from './api.ts';
import { useIdentityTexts } from './texts.ts';

/** What stands in the field: enough to show it without asking again. */
export type ChosenOrganization = { readonly id: Id<'org'>; readonly name: string };

/** Its field holds a {@link ChosenOrganization} or null. */
export type OrganizationFieldProps<In extends FieldValues, Sent> = InForm<In, Sent> & FieldLook;

/** A pause in typing this long starts the search. */
const restMs = 250;
const shown = 20;

export function OrganizationField<In extends FieldValues, Sent>({ form, name, label, help, required = false, disabled = false }: OrganizationFieldProps<In, Sent>) {
  const t = useIdentityTexts();
  const { field, fieldState } = useController({ control: form.control, name });
  // The field's own name says what it holds; a path into any form cannot.
  const chosen = (field.value ?? null) as ChosenOrganization | null;
  const [typed, setTyped] = useState('');
  const search = useRested(typed === chosen?.name ? '' : typed.trim());
  const found = useQuery({ ...identityQueries.listOrganizations({ limit: shown, ...(search !== '' && { q: search }) }), placeholderData: keepPreviousData });
  const problem = useProblemText(label, fieldState.error?.message);
  const refs = new Map(found.data?.items.map((one) => [one.id, one.externalRef]));
  return (
    <Autocomplete<ChosenOrganization>
      value={chosen}
      onChange={(_, next) => field.onChange(next)}
      onInputChange={(_, next) => setTyped(next)}
      onBlur={field.onBlur}
      options={found.data?.items.map(({ id, name: title }) => ({ id, name: title })) ?? []}
      // The server has searched already.
      filterOptions={(options) => options}
      getOptionLabel={(one) => one.name}
      getOptionKey={(one) => one.id}
      isOptionEqualToValue={(one, other) => one.id === other.id}
      loading={found.isFetching}
      loadingText={t('identity.searching')}
      noOptionsText={t('identity.no_organization_found')}
      openText={t('identity.open_list')}
      closeText={t('ui.close')}
      clearText={t('ui.clear')}
      disabled={disabled}
      size="small"
      renderOption={({ key, ...rest }, one) => (
        <li key={key} {...rest} style={{ display: 'block' }}>
          <Typography variant="body2">{one.name}</Typography>
          {/* Customers of a provider often share a name: its account number tells them apart. */}
          <Typography variant="caption" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>{refs.get(one.id) ?? one.id}</Typography>
        </li>
      )}
      renderInput={(params) => <MuiTextField {...params} inputRef={field.ref} label={label} required={required} error={problem !== undefined} helperText={problem ?? help ?? ' '} />}
    />
  );
}

/** The text once typing has rested. */
function useRested(text: string): string {
  const [rested, setRested] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), restMs);
    return () => clearTimeout(timer);
  }, [text]);
  return rested;
}
