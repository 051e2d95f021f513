// The menu at the left: 250 px beside the content on wide screens, a 70 px rail over it on narrow ones
// (R-SHELL-08).
import { conventionsOf } from '#kernel/language.ts';
import PushPin from '~icons/ic/baseline-push-pin';
import PushPinOutlined from '~icons/ic/outline-push-pin';
import Box from '@mui/material/Box';
import Divider from '@mui/material/Divider';
import Drawer from '@mui/material/Drawer';
import IconButton from '@mui/material/IconButton';
import List from '@mui/material/List';
import ListItem from '@mui/material/ListItem';
import ListItemButton from '@mui/material/ListItemButton';
import ListItemIcon from '@mui/material/ListItemIcon';
import ListItemText from '@mui/material/ListItemText';
import Toolbar from '@mui/material/Toolbar';
import Typography from '@mui/material/Typography';
import { useTheme } from '@mui/material/styles';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useDeferredValue, useId } from 'react';
import { NavLink, useLocation } from 'react-router';
import { useLanguage, useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLayoutStore } from '#platform/web/shell/layout-store.ts';
import { linksOf, type NavItem } from '../menu.ts';
import { menuIcons } from './menu-icons.ts';
import { usePins, type Pins } from './palette/pins.ts';
import { sidebarWidth } from './sidebar-width.ts';

const railWidth = 70;

export function Sidebar({ items }: { items: readonly NavItem[] }) {
  const { t } = useTranslation('app');
  const theme = useTheme();
  const isWide = useMediaQuery(theme.breakpoints.up('md'));
  // The button responds at once; the menu and the page's new width follow in a deferred render.
  const isOpen = useDeferredValue(useLayoutStore((layout) => layout.sidebarShow));
  const setIsOpen = useLayoutStore((layout) => layout.setSidebarShow);
  // Loaded when the menu is first opened, because most visits never open it.
  const pins = usePins(isOpen);
  return (
    <Drawer
      variant={isWide ? 'persistent' : 'temporary'}
      open={isOpen}
      onClose={() => setIsOpen(false)}
      transitionDuration={{ enter: 240, exit: 180 }}
      slotProps={{
        paper: {
          sx: {
            width: isWide ? sidebarWidth : railWidth,
            borderRight: '1px solid',
            borderColor: 'divider',
            boxShadow: 'none',
          },
          ...(!isWide && { 'aria-label': t('menu.label') }),
        },
      }}
      data-screen-only
    >
      <Toolbar variant="dense" sx={{ minHeight: 56 }} />
      <Box component="nav" id="menu" aria-label={t('menu.label')}>
        {isWide ? (
          <WideMenu items={items} pins={pins} />
        ) : (
          <Rail items={linksOf(items)} pinned={pins.pages} onOpen={() => setIsOpen(false)} />
        )}
      </Box>
    </Drawer>
  );
}

const current = {
  '&[aria-current="page"]': {
    bgcolor: 'primary.soft',
    color: 'primary.softText',
    fontWeight: 700,
    '& .MuiListItemIcon-root': { color: 'inherit' },
    '&::before': {
      content: '""',
      position: 'absolute',
      insetInlineStart: 0,
      top: 8,
      bottom: 8,
      width: 3,
      borderRadius: '2px',
      bgcolor: 'primary.main',
    },
  },
} as const;

function WideMenu({ items, pins }: { items: readonly NavItem[]; pins: Pins }) {
  const { t } = useTranslation('palette');
  return (
    <List sx={{ padding: '12px 8px' }}>
      {pins.pages.length > 0 && (
        <>
          <Group label={t('palette.group_pinned')} items={pins.pages} pins={pins} />
          <Divider component="li" aria-hidden sx={{ marginBlock: 1 }} />
        </>
      )}
      {items.map((item) =>
        item.type === 'group' ? (
          <Group key={item.name} label={t(item.label)} items={linksOf(item.children ?? [])} pins={pins} />
        ) : (
          <Entry key={item.name} item={item} pins={pins} />
        ),
      )}
    </List>
  );
}

function Group({ label, items, pins }: { label: string; items: readonly NavItem[]; pins: Pins }) {
  const heading = useId();
  return (
    <ListItem disablePadding sx={{ display: 'block', marginTop: 1.5, '&:first-of-type': { marginTop: 0 } }}>
      <Typography
        id={heading}
        variant="caption"
        component="p"
        color="textSecondary"
        sx={{ padding: '4px 12px', fontWeight: 700 }}
      >
        {label}
      </Typography>
      <List aria-labelledby={heading} disablePadding>
        {items.map((item) => (
          <Entry key={item.name} item={item} pins={pins} />
        ))}
      </List>
    </ListItem>
  );
}

function Entry({ item, pins }: { item: NavItem; pins: Pins }) {
  const { t } = useTranslation('palette');
  const Icon = menuIcons[item.icon];
  const isPinned = pins.isPinned(item.path);
  const { change } = pins;
  return (
    <ListItem
      disablePadding
      sx={{
        marginBottom: '2px',
        '& .pin': { opacity: isPinned ? 1 : 0 },
        '&:hover .pin, &:focus-within .pin': { opacity: 1 },
        '@media (pointer: coarse)': { '& .pin': { opacity: 1 } },
      }}
      secondaryAction={
        <IconButton
          className="pin"
          size="small"
          aria-pressed={isPinned}
          disabled={!change}
          aria-label={t('palette.pin_named', { name: t(item.label) })}
          onClick={() => change?.(item.path)}
          sx={{ color: 'text.secondary', marginInlineEnd: '-8px' }}
        >
          {isPinned ? <PushPin sx={{ fontSize: 16 }} /> : <PushPinOutlined sx={{ fontSize: 16 }} />}
        </IconButton>
      }
    >
      <ListItemButton component={NavLink} to={item.path} end sx={{ paddingInline: 1.5, ...current }}>
        <ListItemIcon sx={{ minWidth: 36 }}>
          <Icon aria-hidden />
        </ListItemIcon>
        <ListItemText
          primary={t(item.label)}
          slotProps={{ primary: { variant: 'body2', sx: { fontWeight: 'inherit' } } }}
        />
      </ListItemButton>
    </ListItem>
  );
}

function Rail({
  items,
  pinned,
  onOpen,
}: {
  items: readonly NavItem[];
  pinned: readonly NavItem[];
  onOpen: () => void;
}) {
  const { pathname } = useLocation();
  const isAt = (item: NavItem): boolean => item.path === pathname;
  const isPinnedHere = pinned.some(isAt);
  return (
    <List sx={{ padding: '4px' }}>
      {pinned.map((item) => (
        <RailEntry key={`pinned ${item.name}`} item={item} onOpen={onOpen} isFocused={isAt(item)} />
      ))}
      {pinned.length > 0 && <Divider component="li" aria-hidden sx={{ marginBlock: '4px' }} />}
      {items.map((item) => (
        <RailEntry key={item.name} item={item} onOpen={onOpen} isFocused={!isPinnedHere && isAt(item)} />
      ))}
    </List>
  );
}

/** One size for all labels of a language; English words are hyphenated if the rail is too narrow for them. */
const railLetters = {
  zhTW: { fontSize: '0.75rem' },
  enUS: { fontSize: '0.6875rem', hyphens: 'auto', overflowWrap: 'anywhere' },
} as const;

function RailEntry({ item, onOpen, isFocused }: { item: NavItem; onOpen: () => void; isFocused: boolean }) {
  const { t } = useTranslation('app');
  const letters = railLetters[conventionsOf(useLanguage())];
  const Icon = menuIcons[item.icon];
  return (
    <ListItem disablePadding>
      <ListItemButton
        component={NavLink}
        to={item.path}
        end
        onClick={onOpen}
        autoFocus={isFocused}
        sx={{
          flexDirection: 'column',
          gap: '2px',
          padding: '8px 2px',
          minHeight: 56,
          textAlign: 'center',
          ...current,
        }}
      >
        <Icon aria-hidden />
        <Box component="span" sx={{ ...letters, maxWidth: '100%', lineHeight: 1.25 }}>
          {t(item.label)}
        </Box>
      </ListItemButton>
    </ListItem>
  );
}
