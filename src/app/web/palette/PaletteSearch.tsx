// A search box with its result list: one combobox, for the palette's dialog and for the not-found page.
import SearchOutlined from '~icons/ic/outline-search';
import Box from '@mui/material/Box';
import InputBase from '@mui/material/InputBase';
import { useId, useState, type KeyboardEvent, type ReactNode } from 'react';
import { useTranslation, type Translate } from '#platform/web/i18n/i18n.ts';
import { VisuallyHidden } from '#platform/web/ui/VisuallyHidden.tsx';
import type { Entry } from './entries.ts';
import { NothingFound } from './NothingFound.tsx';
import { PaletteList } from './PaletteList.tsx';
import { usePaletteEntries, type Group } from './palette-entries.ts';

export type PaletteSearchProps = {
  readonly onChoose: (entry: Entry, isNewTab: boolean) => void;
  /** At the right of the box. */
  readonly aside?: ReactNode;
  /** Shows all entries before anything is typed, and takes the focus. */
  readonly isOpenAtOnce?: boolean;
};

export function PaletteSearch({ onChoose, aside, isOpenAtOnce = false }: PaletteSearchProps) {
  const { t } = useTranslation('palette');
  const [typed, setTyped] = useState('');
  const [activeId, setActiveId] = useState<string>();
  const list = useId();
  const { groups, isSearching, hasFailed } = usePaletteEntries(typed);
  const entries = groups.flatMap((group) => group.entries);
  const isShown = isOpenAtOnce || typed.trim() !== '';
  const at = Math.max(
    0,
    entries.findIndex(({ id }) => id === activeId),
  );
  const active = isShown ? entries[at] : undefined;
  const optionId = (entry: Entry): string => `${list}-${entry.id}`;
  const onKeyDown = (event: KeyboardEvent) => {
    // While an input method composes a character, Enter and the arrow keys belong to it.
    if (event.nativeEvent.isComposing || !isShown) return;
    const next = moved(event, at, entries.length);
    if (next !== undefined) setActiveId(entries[next]?.id);
    else if (event.key === 'Enter' && active) onChoose(active, event.ctrlKey || event.metaKey);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <Box
        sx={{
          display: 'flex',
          alignItems: 'center',
          gap: 1,
          paddingInline: 2,
          borderBottom: isShown ? '1px solid' : 0,
          borderColor: 'divider',
          minHeight: 56,
        }}
      >
        <SearchOutlined aria-hidden sx={{ color: 'text.secondary' }} />
        <InputBase
          fullWidth
          autoFocus={isOpenAtOnce}
          value={typed}
          placeholder={t('palette.placeholder')}
          onChange={(event) => {
            setTyped(event.target.value);
            setActiveId(undefined);
          }}
          onKeyDown={onKeyDown}
          sx={{
            minHeight: 44,
            '& input::placeholder': { color: 'placeholder', opacity: 1 },
            '& input:focus-visible': { outline: 'none' },
          }}
          slotProps={{
            input: {
              role: 'combobox',
              'aria-label': t('shell.search'),
              'aria-expanded': isShown && entries.length > 0,
              'aria-controls': list,
              'aria-autocomplete': 'list',
              'aria-activedescendant': active && optionId(active),
              maxLength: 200,
              autoComplete: 'off',
              spellCheck: false,
              enterKeyHint: 'go',
            },
          }}
        />
        {aside}
      </Box>
      {isShown && (
        <PaletteList
          id={list}
          groups={groups}
          active={active}
          optionId={optionId}
          onActive={(entry) => setActiveId(entry.id)}
          onChoose={onChoose}
        />
      )}
      {isShown && entries.length === 0 && !isSearching && <NothingFound typed={typed.trim()} />}
      <VisuallyHidden live>
        {isShown && typed !== '' ? announcement(groups, isSearching, t) : ''}
      </VisuallyHidden>
      {isShown && hasFailed && (
        <Box
          role="status"
          sx={{
            padding: '8px 16px',
            fontSize: '0.8125rem',
            color: 'text.secondary',
            borderTop: '1px solid',
            borderColor: 'divider',
          }}
        >
          {t('palette.incomplete')}
        </Box>
      )}
    </>
  );
}

/** The screen reader announcement when the list has changed. */
function announcement(groups: readonly Group[], isSearching: boolean, t: Translate<'palette'>): string {
  return isSearching
    ? t('palette.searching')
    : t('palette.found', { count: groups.reduce((sum, group) => sum + group.entries.length, 0) });
}

/** The entry to which a key moves in a list of `count`: arrow keys wrap around, page keys move by ten. */
function moved({ key }: KeyboardEvent, at: number, count: number): number | undefined {
  if (count === 0) return undefined;
  if (key === 'ArrowDown') return (at + 1) % count;
  if (key === 'ArrowUp') return (at + count - 1) % count;
  if (key === 'PageDown') return Math.min(at + 10, count - 1);
  return key === 'PageUp' ? Math.max(at - 10, 0) : undefined;
}
