// Chooses a service by searching for it.
import Autocomplete from '@mui/material/Autocomplete';
import MuiTextField from '@mui/material/TextField';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Id } from '#kernel/ids.ts';
import { catalogueQueries, useRested } from '#features/catalogue/web/parts.ts';
import { useAnnouncementsTexts } from './texts.ts';

export type ChosenService = { readonly id: Id<'svc'>; readonly name: string };
const shown = 20;

export function ServiceField({ value, problem, onChange }: { value: ChosenService | null; /** Its sentence, when it is wrong. */ problem?: string | undefined; onChange: (chosen: ChosenService | null) => void }) {
  const t = useAnnouncementsTexts();
  const [typed, setTyped] = useState('');
  const { q } = useRested({ q: typed === value?.name ? '' : typed.trim() });
  const found = useQuery({ ...catalogueQueries.adminListServices({ limit: shown, ...(q !== '' && { q }) }), placeholderData: keepPreviousData });
  return (
    <Autocomplete<ChosenService>
      value={value}
      onChange={(_, next) => onChange(next)}
      onInputChange={(_, next) => setTyped(next)}
      options={found.data?.items.map(({ id, name }) => ({ id, name })) ?? []}
      // The server has searched already.
      filterOptions={(options) => options}
      getOptionLabel={(one) => one.name}
      getOptionKey={(one) => one.id}
      isOptionEqualToValue={(one, other) => one.id === other.id}
      loading={found.isFetching}
      loadingText={t('announcements.searching')}
      noOptionsText={t('announcements.no_service')}
      openText={t('announcements.open_list')}
      closeText={t('ui.close')}
      clearText={t('ui.clear')}
      size="small"
      renderInput={(params) => <MuiTextField {...params} label={t('announcements.service')} required error={problem !== undefined} helperText={problem ?? ' '} />}
    />
  );
}
