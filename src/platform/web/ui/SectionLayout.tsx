// Parts of a page, one at a time: with a list at the side on wide screens and tabs on tablets. On phones, all
// parts are stacked, or also in tabs if they are many. Many parts can be searched.
import Box from '@mui/material/Box';
import List from '@mui/material/List';
import ListItemButton from '@mui/material/ListItemButton';
import ListItemText from '@mui/material/ListItemText';
import Tab from '@mui/material/Tab';
import { useTheme } from '@mui/material/styles';
import useMediaQuery from '@mui/material/useMediaQuery';
import Typography from '@mui/material/Typography';
import { useEffect, useId, useState, type ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router';
import { useTranslation } from '../i18n/i18n.ts';
import { DeferredRender } from './DeferredRender.tsx';
import { ScrollableTabs } from './ScrollableTabs.tsx';
import { SearchField } from './SearchField.tsx';

export type PagePart = {
  readonly name: string;
  readonly label: string;
  readonly content: ReactNode;
  /** Search terms in addition to the label. */
  readonly words?: readonly string[];
};
export type SectionLayoutProps = {
  /** The accessible name of the list of parts. */
  readonly label: string;
  readonly parts: readonly PagePart[];
  /** The accessible name of the search; without it, there is no search. */
  readonly search?: string;
};

const column = {
  display: 'grid',
  gap: { xs: 2, sm: 3 },
  gridTemplateColumns: 'minmax(0, 1fr)',
  alignContent: 'start',
  minWidth: 0,
} as const;

/** The open part is in the URL: `?section=security`. */
export function SectionLayout({ label, parts, search }: SectionLayoutProps) {
  const { t } = useTranslation('platform');
  const theme = useTheme();
  const isWide = useMediaQuery(theme.breakpoints.up('md'));
  const isPhone = useMediaQuery(theme.breakpoints.down('sm'));
  const [params] = useSearchParams();
  const panel = useId();
  const [sought, setSought] = useState('');
  const wanted = params.get('section');
  const open = parts.find((part) => part.name === wanted) ?? parts[0];
  if (!open) return null;
  if (isPhone && search === undefined) return <OneColumn parts={parts} wanted={wanted} />;
  const found = parts.filter((part) => isFound(part, sought));
  const searchBox = search !== undefined && (
    <Box sx={{ display: 'grid', gap: 1 }}>
      <SearchField value={sought} onSearch={setSought} label={search} />
      {found.length === 0 && (
        <Typography variant="body2" color="textSecondary" role="status" sx={{ paddingInline: '12px' }}>
          {t('empty.no_match')}
        </Typography>
      )}
    </Box>
  );
  if (isWide) {
    return (
      <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: '208px minmax(0, 1fr)', alignItems: 'start' }}>
        <Box sx={{ position: 'sticky', top: 88, display: 'grid', gap: 1 }}>
          {searchBox}
          <List component="nav" aria-label={label} disablePadding sx={{ display: 'grid', gap: 0.5 }}>
            {found.map((part) => (
              <ListItemButton
                key={part.name}
                component={Link}
                to={`?section=${part.name}`}
                selected={part === open}
                aria-current={part === open ? 'page' : undefined}
                sx={{ borderRadius: '5px', minHeight: 44 }}
              >
                <ListItemText
                  primary={part.label}
                  slotProps={{ primary: { variant: 'body2', sx: { fontWeight: part === open ? 700 : 400 } } }}
                />
              </ListItemButton>
            ))}
          </List>
        </Box>
        <Box key={open.name} sx={column}>
          {open.content}
        </Box>
      </Box>
    );
  }
  return (
    <Box sx={column}>
      {searchBox}
      <ScrollableTabs
        value={found.includes(open) ? open.name : false}
        aria-label={label}
        sx={{ borderBottom: '1px solid', borderColor: 'divider' }}
      >
        {/* Links, so that the guard for unsaved changes asks before leaving. */}
        {found.map((part) => (
          <Tab
            key={part.name}
            value={part.name}
            label={part.label}
            component={Link}
            to={`?section=${part.name}`}
            id={`${panel}-${part.name}`}
            {...(part === open && { 'aria-controls': panel })}
          />
        ))}
      </ScrollableTabs>
      <Box key={open.name} role="tabpanel" id={panel} aria-labelledby={`${panel}-${open.name}`} sx={column}>
        {open.content}
      </Box>
    </Box>
  );
}

/** Whether each search word occurs in a word of the part. */
function isFound({ label, words = [] }: PagePart, sought: string): boolean {
  const text = [label, ...words].join(' ').toLowerCase();
  return sought
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

function OneColumn({ parts, wanted }: { parts: readonly PagePart[]; wanted: string | null }) {
  const id = useId();
  useEffect(() => {
    if (wanted !== null) document.getElementById(`${id}-${wanted}`)?.scrollIntoView();
  }, [id, wanted]);
  return (
    <Box sx={column}>
      <DeferredRender
        atOnce={wanted !== null}
        parts={parts.map(({ name, content }) => ({
          name,
          content: (
            <Box id={`${id}-${name}`} sx={column}>
              {content}
            </Box>
          ),
        }))}
      />
    </Box>
  );
}
