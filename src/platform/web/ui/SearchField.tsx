// A search box that searches after a short pause in typing; `/` focuses it.
import ClearOutlined from '~icons/ic/outline-clear';
import SearchOutlined from '~icons/ic/outline-search';
import Box from '@mui/material/Box';
import InputAdornment from '@mui/material/InputAdornment';
import OutlinedInput from '@mui/material/OutlinedInput';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from '../i18n/i18n.ts';
import { useLayoutStore } from '../shell/layout-store.ts';
import { mayBeShortcut } from '../shell/shortcuts.ts';
import { IconAction } from './IconAction.tsx';

/** The pause after which the search starts. */
const restMs = 250;

/**
 * An input's width does not depend on its placeholder: the field requests the width that the placeholder and
 * the icon need, before it grows or shrinks.
 */
const asWideAsHint = {
  '&::before': {
    content: 'attr(data-hint)',
    display: 'block',
    height: 0,
    visibility: 'hidden',
    whiteSpace: 'nowrap',
    overflow: 'hidden',
    paddingInline: '42px 18px',
  },
} as const;

export type SearchFieldProps = {
  /** The current search text of the list. */
  readonly value: string;
  readonly onSearch: (text: string) => void;
  /** Names what is searched: "搜尋姓名、帳號、組織". */
  readonly label: string;
};

export function SearchField({ value, onSearch, label }: SearchFieldProps) {
  const { t } = useTranslation('platform');
  const [text, setText] = useState(value);
  const [lastValue, setLastValue] = useState(value);
  const input = useRef<HTMLInputElement>(null);
  // Changed from outside (clear all, Back): adopt it, unless the user is typing a newer text.
  if (value !== lastValue) {
    setLastValue(value);
    if (text.trim() === lastValue) setText(value);
  }
  useEffect(() => {
    if (text.trim() === value) return undefined;
    const timer = setTimeout(() => onSearch(text), restMs);
    return () => clearTimeout(timer);
  }, [text, value, onSearch]);
  useFocusOnSlash(input);
  return (
    <Box
      data-hint={label}
      sx={{
        minWidth: { xs: '100%', sm: 200 },
        flex: { sm: '1 1 auto' },
        maxWidth: { sm: 360 },
        display: 'flex',
        flexDirection: 'column',
        ...asWideAsHint,
      }}
    >
      <OutlinedInput
        size="small"
        type="search"
        inputRef={input}
        value={text}
        placeholder={label}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') onSearch(text);
          if (event.key === 'Escape') setText('');
        }}
        sx={{ '& input::-webkit-search-cancel-button': { display: 'none' } }}
        slotProps={{ input: { 'aria-label': label, maxLength: 200, enterKeyHint: 'search' } }}
        startAdornment={
          <InputAdornment position="start">
            <SearchOutlined aria-hidden />
          </InputAdornment>
        }
        endAdornment={
          text !== '' && (
            <IconAction
              size="small"
              label={t('ui.clear')}
              onClick={() => {
                setText('');
                input.current?.focus();
              }}
            >
              <ClearOutlined sx={{ fontSize: 18 }} />
            </IconAction>
          )
        }
      />
    </Box>
  );
}

function useFocusOnSlash(input: React.RefObject<HTMLInputElement | null>): void {
  const isOn = useLayoutStore((layout) => layout.shortcuts);
  useEffect(() => {
    if (!isOn) return undefined;
    const focus = (event: KeyboardEvent) => {
      if (event.key !== '/' || !mayBeShortcut(event)) return;
      event.preventDefault();
      input.current?.focus();
    };
    document.addEventListener('keydown', focus);
    return () => document.removeEventListener('keydown', focus);
  }, [isOn, input]);
}
