// Chooses one of very many by typing a part of its name: the only field of its kind.
import Autocomplete from '@mui/material/Autocomplete';
import MuiTextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useState, type ReactNode, type Ref } from 'react';
import { useTranslation } from '../i18n/i18n.ts';
import { useRested } from './use-rested.ts';

/** Something to choose: `hint` tells apart what has the same name. */
export type Candidate = { readonly id: string; readonly name: string; readonly hint?: string | null };

export type SearchPickerProps<P extends Candidate> = {
  readonly label: string;
  readonly value: P | null;
  readonly onChange: (chosen: P | null) => void;
  /** What was found; until then what was found before. */
  readonly options: readonly P[];
  readonly isLoading: boolean;
  /** When nothing fits. */
  readonly none: string;
  /** What is typed, for {@link useSearchText}; without it the options themselves are narrowed. */
  readonly onType?: (text: string) => void;
  readonly required?: boolean;
  readonly disabled?: boolean;
  /** Below the field. */
  readonly help?: ReactNode;
  /** What is wrong, instead of the help. */
  readonly problem?: string | undefined;
  readonly onBlur?: () => void;
  readonly inputRef?: Ref<HTMLInputElement>;
  /** Among other filters of a list: of its own width, without room for help. */
  readonly isFilter?: boolean;
};

/** What to ask the server for: the typed text once it rests, nothing while it only names what is chosen. */
export function useSearchText(chosen: string | undefined): {
  readonly search: string;
  readonly onType: (text: string) => void;
} {
  const [typed, onType] = useState('');
  const search = useRested(typed === chosen ? '' : typed.trim());
  return { search, onType };
}

export function SearchPicker<P extends Candidate>({
  label,
  value,
  onChange,
  options,
  isLoading,
  none,
  onType,
  required = false,
  disabled = false,
  help,
  problem,
  onBlur,
  inputRef,
  isFilter = false,
}: SearchPickerProps<P>) {
  const { t } = useTranslation('platform');
  return (
    <Autocomplete<P>
      value={value}
      onChange={(_, next) => onChange(next)}
      // The server has searched already.
      {...(onType && {
        onInputChange: (_event: unknown, text: string) => onType(text),
        filterOptions: (found: P[]) => found,
      })}
      {...(onBlur && { onBlur })}
      options={options}
      getOptionLabel={(one) => one.name}
      getOptionKey={(one) => one.id}
      isOptionEqualToValue={(one, other) => one.id === other.id}
      loading={isLoading}
      loadingText={t('picker.searching')}
      noOptionsText={none}
      openText={t('picker.open')}
      closeText={t('ui.close')}
      clearText={t('ui.clear')}
      disabled={disabled}
      size="small"
      {...(isFilter && {
        sx: { width: { xs: '100%', sm: 220 } },
        slotProps: { popper: { style: { width: 320 } } },
      })}
      renderOption={({ key, ...rest }, one) => (
        <li key={key} {...rest} style={{ display: 'block' }}>
          <Typography variant="body2" sx={{ overflowWrap: 'anywhere' }}>
            {one.name}
          </Typography>
          {one.hint && (
            <Typography variant="caption" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
              {one.hint}
            </Typography>
          )}
        </li>
      )}
      renderInput={(params) => (
        <MuiTextField
          {...params}
          {...(inputRef && { inputRef })}
          label={label}
          required={required}
          error={problem !== undefined}
          helperText={problem ?? (isFilter ? undefined : (help ?? ' '))}
        />
      )}
    />
  );
}
