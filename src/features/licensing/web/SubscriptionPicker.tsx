// Chooses the subscription that a licence is for, by searching organizations and services; there may be very many.
import Autocomplete from '@mui/material/Autocomplete';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import type { Licensable } from '#features/licensing/contract.ts';
import { useFormat } from '#platform/web/use-format.ts';
import { licensingQueries } from './api.ts';
import { useLicensingTexts } from './texts.ts';

export function SubscriptionPicker({ value, onChange, disabled }: { value: Licensable | null; onChange: (chosen: Licensable | null) => void; disabled: boolean }) {
  const t = useLicensingTexts();
  const format = useFormat();
  const [typed, setTyped] = useState('');
  const label = (one: Licensable): string => t('licensing.for_option', { organization: one.organization, service: one.service });
  const search = useDeferredValue(value && typed === label(value) ? '' : typed.trim());
  const found = useQuery({ ...licensingQueries.listLicensable(search === '' ? {} : { q: search }), placeholderData: keepPreviousData });
  return (
    <Autocomplete<Licensable>
      value={value}
      onChange={(_, next) => onChange(next)}
      onInputChange={(_, next) => setTyped(next)}
      options={found.data?.items ?? []}
      // The server has searched already.
      filterOptions={(options) => options}
      getOptionLabel={label}
      getOptionKey={(one) => one.subscriptionId}
      isOptionEqualToValue={(one, other) => one.subscriptionId === other.subscriptionId}
      loading={found.isFetching}
      loadingText={t('licensing.searching')}
      noOptionsText={t('licensing.for_none')}
      openText={t('licensing.open_list')}
      closeText={t('ui.close')}
      clearText={t('ui.clear')}
      disabled={disabled}
      size="small"
      renderOption={({ key, ...rest }, one) => (
        <li key={key} {...rest} style={{ display: 'block' }}>
          <Typography variant="body2">{label(one)}</Typography>
          <Typography variant="caption" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>{one.endsAt ? t('licensing.until', { date: format.dateTable(one.endsAt) }) : one.subscriptionId}</Typography>
        </li>
      )}
      renderInput={(params) => <TextField {...params} label={t('licensing.for')} required helperText={t('licensing.for_help')} />}
    />
  );
}
