// Selects one of very many records by typing a part of its name.
import Autocomplete from '@mui/material/Autocomplete';
import MuiTextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useState, type ReactNode, type Ref } from 'react';
import { useTranslation } from '../i18n/i18n.ts';
import { useDebounced } from './use-debounced.ts';

/** A selectable record; `hint` distinguishes records with the same name. */
export type Candidate = { readonly id: string; readonly name: string; readonly hint?: string | null };

export type SearchPickerProps<P extends Candidate> = {
  readonly label: string;
  readonly value: P | null;
  readonly onChange: (chosen: P | null) => void;
  /** The matches; while a search runs, those of the previous search. */
  readonly options: readonly P[];
  readonly isLoading: boolean;
  /** Shown when nothing matches. */
  readonly none: string;
  /**
   * Called with the typed text, for {@link useSearchText}; without it, the given options are filtered in the
   * browser.
   */
  readonly onType?: (text: string) => void;
  readonly required?: boolean;
  readonly disabled?: boolean;
  /** Below the field. */
  readonly help?: ReactNode;
  /** Shown instead of the help. */
  readonly problem?: string | undefined;
  readonly onBlur?: () => void;
  readonly inputRef?: Ref<HTMLInputElement>;
  /** Used as a filter of a list: with its own width, without space for help. */
  readonly isFilter?: boolean;
};

/**
 * The text to search for on the server: the typed text after a pause; empty while it is only the name of the
 * selected record.
 */
export function useSearchText(chosen: string | undefined): {
  readonly search: string;
  readonly onType: (text: string) => void;
} {
  const [typed, onType] = useState('');
  const search = useDebounced(typed === chosen ? '' : typed.trim());
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
      // The server has filtered already, so the component must not filter again.
      {...(onType && {
        onInputChange: (_event: unknown, text: string) => onType(text),
        filterOptions: (found: P[]) => found,
      })}
      onBlur={onBlur}
      options={options}
      getOptionLabel={(one) => one.name}
      getOptionKey={(one) => one.id}
      isOptionEqualToValue={(one, other) => one.id === other.id}
      loading={isLoading}
      loadingText={t('picker.searching')}
      noOptionsText={none}
      openText={t('picker.open_of', { label })}
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
          inputRef={inputRef}
          label={label}
          required={required}
          error={problem !== undefined}
          helperText={problem ?? (isFilter ? undefined : (help ?? ' '))}
        />
      )}
    />
  );
}
