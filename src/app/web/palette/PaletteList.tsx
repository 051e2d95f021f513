// The palette's results, in groups; the search box announces the active one (aria-activedescendant).
import Box from '@mui/material/Box';
import { useEffect, useRef } from 'react';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Keys } from './Keys.tsx';
import type { Entry } from './entries.ts';
import { entryIcons } from './entry-icons.ts';
import type { Group } from './palette-entries.ts';

export type PaletteListProps = {
  readonly id: string;
  readonly groups: readonly Group[];
  readonly active: Entry | undefined;
  readonly optionId: (entry: Entry) => string;
  readonly onActive: (entry: Entry) => void;
  readonly onChoose: (entry: Entry, isNewTab: boolean) => void;
};

export function PaletteList({ id, groups, active, optionId, onActive, onChoose }: PaletteListProps) {
  const { t } = useTranslation('palette');
  const box = useRef<HTMLDivElement>(null);
  const activeOption = active && optionId(active);
  useEffect(() => {
    if (activeOption !== undefined)
      box.current?.querySelector(`#${CSS.escape(activeOption)}`)?.scrollIntoView({ block: 'nearest' });
  }, [activeOption]);
  return (
    // used as: 'palette.group_*'
    <Box
      ref={box}
      id={id}
      role="listbox"
      aria-label={t('palette.results')}
      sx={{
        flex: '1 1 auto',
        minHeight: 0,
        overflowY: 'auto',
        overscrollBehavior: 'contain',
        padding: groups.length > 0 ? '4px 8px 8px' : 0,
        scrollPaddingBlock: '36px 8px',
      }}
    >
      {groups.map(({ name, entries }) => (
        <Box key={name} role="group" aria-label={t(`palette.group_${name}`)}>
          <Box
            aria-hidden
            sx={{
              padding: '10px 8px 4px',
              fontSize: '0.8125rem',
              lineHeight: 20 / 13,
              fontWeight: 700,
              color: 'text.secondary',
            }}
          >
            {t(`palette.group_${name}`)}
          </Box>
          {entries.map((entry) => (
            <Option
              key={entry.id}
              entry={entry}
              id={optionId(entry)}
              isActive={entry.id === active?.id}
              onActive={() => onActive(entry)}
              onChoose={(isNewTab) => onChoose(entry, isNewTab)}
            />
          ))}
        </Box>
      ))}
    </Box>
  );
}

type OptionProps = {
  readonly entry: Entry;
  readonly id: string;
  readonly isActive: boolean;
  readonly onActive: () => void;
  readonly onChoose: (isNewTab: boolean) => void;
};

function Option({ entry, id, isActive, onActive, onChoose }: OptionProps) {
  const Icon = entryIcons[entry.icon];
  return (
    <Box
      id={id}
      role="option"
      aria-selected={isActive}
      onMouseMove={() => !isActive && onActive()}
      // The search box keeps the focus.
      onMouseDown={(event) => event.preventDefault()}
      onClick={(event) => onChoose(event.ctrlKey || event.metaKey)}
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 1.5,
        minHeight: 40,
        paddingInline: '10px',
        borderRadius: '5px',
        cursor: 'pointer',
        fontSize: '0.875rem',
        lineHeight: 22 / 14,
        '@media (pointer: coarse)': { minHeight: 44 },
        '&[aria-selected="true"]': {
          bgcolor: 'primary.soft',
          color: 'primary.softText',
          outline: '1px solid transparent',
        },
        '& svg': { flexShrink: 0, color: isActive ? 'inherit' : 'text.secondary' },
      }}
    >
      <Icon aria-hidden />
      <Box
        component="span"
        sx={{
          flex: '0 1 auto',
          minWidth: 0,
          overflow: 'hidden',
          textOverflow: 'ellipsis',
          whiteSpace: 'nowrap',
        }}
      >
        {entry.label}
      </Box>
      {entry.detail && (
        <Box
          component="span"
          sx={{
            flex: '0 100 auto',
            minWidth: 0,
            overflow: 'hidden',
            textOverflow: 'ellipsis',
            whiteSpace: 'nowrap',
            fontSize: '0.8125rem',
            color: isActive ? 'inherit' : 'text.secondary',
          }}
        >
          {entry.detail}
        </Box>
      )}
      <Box component="span" sx={{ flex: 1 }} />
      {entry.keys && <Keys keys={entry.keys} isHint />}
    </Box>
  );
}
