// Above a list: search, select filters, the active filters as chips, and the number of matches.
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import Stack from '@mui/material/Stack';
import type { ReactNode } from 'react';
import { useTranslation } from '../i18n/i18n.ts';
import { SearchField } from './SearchField.tsx';
import { SelectBox, type Option } from './SelectBox.tsx';
import type { FilterValues, TableState } from './table-state.ts';

export type FilterSpec<F extends FilterValues> = {
  readonly [K in keyof F]: {
    readonly label: string;
    /** Undefined while loading: the filter has its place already. */
    readonly options: readonly Option<F[K][number]>[] | undefined;
  };
};

export type FilterBarProps<F extends FilterValues> = {
  readonly state: TableState<F>;
  /** Names what is searched; without it, there is no search box. */
  readonly searchLabel?: string;
  readonly filters?: FilterSpec<F>;
  /** Placed after the filters, in the same wrapping row. */
  readonly more?: ReactNode;
  /** At the right: density, columns, export. */
  readonly extra?: ReactNode;
};

export function FilterBar<F extends FilterValues>({
  state,
  searchLabel,
  filters,
  more,
  extra,
}: FilterBarProps<F>) {
  const { t } = useTranslation('platform');
  // A filter without values offers no choice; it is shown only while the URL sets it.
  const specs = (Object.entries(filters ?? {}) as [keyof F & string, FilterSpec<F>[string]][]).filter(
    ([, { options }]) => options === undefined || options.length > 0,
  );
  return (
    <Stack data-screen-only sx={{ gap: 1, padding: { xs: '12px 16px', sm: '16px 24px 12px' } }}>
      <Stack
        direction="row"
        sx={{
          gap: '12px 8px',
          flexWrap: 'wrap',
          alignItems: 'center',
          // On phones two beside each other, as wide before their values are there as afterwards.
          ...(specs.length > 1 && {
            '& > [data-label]': { flex: { xs: '1 1 calc(50% - 4px)', sm: 'none' } },
          }),
        }}
      >
        {searchLabel !== undefined && (
          <SearchField value={state.search} onSearch={state.setSearch} label={searchLabel} />
        )}
        {specs.map(([name, spec]) => (
          <SelectBox
            key={name}
            label={spec.label}
            value={state.filters[name] ?? ''}
            options={[{ value: '', label: t('ui.all') }, ...(spec.options ?? [])]}
            onChange={(value) => state.setFilter(name, value === '' ? undefined : value)}
          />
        ))}
        {more}
        {extra !== undefined && (
          <Stack
            direction="row"
            sx={{
              gap: 1,
              marginInlineStart: 'auto',
              alignItems: 'center',
              justifyContent: 'flex-end',
              flexWrap: 'wrap',
            }}
          >
            {extra}
          </Stack>
        )}
      </Stack>
      {state.isNarrowed && (
        <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap', alignItems: 'center' }}>
          {state.search !== '' && (
            <Chip
              label={t('table.searched', { text: state.search })}
              aria-label={t('table.remove_filter', { name: state.search })}
              onDelete={() => state.setSearch('')}
            />
          )}
          {specs.map(([name, spec]) => {
            const chosen = spec.options?.find((option) => option.value === state.filters[name]);
            const words = chosen && t('table.filtered', { name: spec.label, value: chosen.label });
            return (
              words !== undefined && (
                <Chip
                  key={name}
                  label={words}
                  aria-label={t('table.remove_filter', { name: words })}
                  onDelete={() => state.setFilter(name, undefined)}
                />
              )
            );
          })}
          <Button size="small" onClick={state.clear}>
            {t('ui.clear_all')}
          </Button>
        </Stack>
      )}
    </Stack>
  );
}
