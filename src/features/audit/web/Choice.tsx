// Chooses one of what is there, by typing a part of its name; whoever uses it finds what fits.
import Autocomplete from '@mui/material/Autocomplete';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useAuditTexts } from './texts.ts';

export type Chosen = { readonly id: string; readonly name: string; readonly hint: string };
export type ChoiceProps = {
  readonly label: string; readonly none: string; readonly value: Chosen | null; readonly options: readonly Chosen[]; readonly isLoading: boolean;
  readonly onChange: (chosen: Chosen | null) => void;
  /** Searches elsewhere; without it the options themselves are narrowed. */
  readonly onType?: (text: string) => void;
};

export function Choice({ label, none, value, options, isLoading, onChange, onType }: ChoiceProps) {
  const t = useAuditTexts();
  return (
    <Autocomplete<Chosen>
      value={value}
      onChange={(_, next) => onChange(next)}
      {...(onType && { onInputChange: (_event: unknown, text: string) => onType(text), filterOptions: (all: Chosen[]) => all })}
      options={options}
      getOptionLabel={(one) => one.name}
      getOptionKey={(one) => one.id}
      isOptionEqualToValue={(one, other) => one.id === other.id}
      loading={isLoading}
      loadingText={t('audit.searching')}
      noOptionsText={none}
      openText={t('audit.open_list')}
      closeText={t('ui.close')}
      clearText={t('ui.clear')}
      size="small"
      sx={{ width: { xs: '100%', sm: 220 } }}
      slotProps={{ popper: { style: { width: 320 } } }}
      renderOption={({ key, ...rest }, one) => (
        <li key={key} {...rest} style={{ display: 'block' }}>
          <Typography variant="body2">{one.name}</Typography>
          <Typography variant="caption" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>{one.hint}</Typography>
        </li>
      )}
      renderInput={(params) => <TextField {...params} label={label} />}
    />
  );
}
