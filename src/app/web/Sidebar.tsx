// The menu at the left: 250 px beside the content on wide screens, a 70 px rail over it on narrow ones (R-SHELL-08).
import Box from '@mui/material/Box';
import Drawer from '@mui/material/Drawer';
import List from '@mui/material/List';
import ListItem from '@mui/material/ListItem';
import ListItemButton from '@mui/material/ListItemButton';
import ListItemIcon from '@mui/material/ListItemIcon';
import ListItemText from '@mui/material/ListItemText';
import Toolbar from '@mui/material/Toolbar';
import Typography from '@mui/material/Typography';
import { useTheme } from '@mui/material/styles';
import useMediaQuery from '@mui/material/useMediaQuery';
import { NavLink, useLocation } from 'react-router';
import { useLayoutStore } from '#platform/web/layout-store.ts';
import { linksOf, type NavItem } from '../menu.ts';
import { menuIcons } from './menu-icons.ts';
import { sidebarWidth } from './sidebar-width.ts';
import { useAppTexts } from './texts.ts';

const railWidth = 70;

export function Sidebar({ items }: { items: readonly NavItem[] }) {
  const t = useAppTexts();
  const theme = useTheme();
  const isWide = useMediaQuery(theme.breakpoints.up('md'));
  const isOpen = useLayoutStore((layout) => layout.sidebarShow);
  const setIsOpen = useLayoutStore((layout) => layout.setSidebarShow);
  return (
    <Drawer
      variant={isWide ? 'persistent' : 'temporary'}
      open={isOpen}
      onClose={() => setIsOpen(false)}
      transitionDuration={{ enter: 240, exit: 180 }}
      slotProps={{ paper: { sx: { width: isWide ? sidebarWidth : railWidth, borderRight: '1px solid', borderColor: 'divider', boxShadow: 'none' }, ...(!isWide && { 'aria-label': t('menu.label') }) } }}
      data-screen-only
    >
      <Toolbar variant="dense" sx={{ minHeight: 56 }} />
      <Box component="nav" id="menu" aria-label={t('menu.label')}>{isWide ? <WideMenu items={items} /> : <Rail items={linksOf(items)} onOpen={() => setIsOpen(false)} />}</Box>
    </Drawer>
  );
}

const current = {
  '&[aria-current="page"]': { bgcolor: 'primary.soft', color: 'primary.softText', fontWeight: 700, '& .MuiListItemIcon-root': { color: 'inherit' }, '&::before': { content: '""', position: 'absolute', insetInlineStart: 0, top: 8, bottom: 8, width: 3, borderRadius: '2px', bgcolor: 'primary.main' } },
} as const;

function WideMenu({ items, level = 0 }: { items: readonly NavItem[]; level?: number }) {
  const t = useAppTexts();
  return (
    <List sx={{ padding: level === 0 ? '12px 8px' : 0 }}>
      {items.map((item) => {
        const Icon = menuIcons[item.icon];
        if (item.type === 'group') {
          return (
            <ListItem key={item.name} disablePadding sx={{ display: 'block', marginTop: 1.5 }}>
              <Typography variant="caption" component="p" color="textSecondary" sx={{ padding: '4px 12px', fontWeight: 700 }}>{t(item.label)}</Typography>
              <WideMenu items={item.children ?? []} level={level + 1} />
            </ListItem>
          );
        }
        return (
          <ListItem key={item.name} disablePadding sx={{ marginBottom: '2px' }}>
            <ListItemButton component={NavLink} to={item.path} end sx={{ paddingInline: 1.5, ...current }}>
              <ListItemIcon sx={{ minWidth: 36 }}><Icon aria-hidden /></ListItemIcon>
              <ListItemText primary={t(item.label)} slotProps={{ primary: { variant: 'body2', sx: { fontWeight: 'inherit' } } }} />
            </ListItemButton>
          </ListItem>
        );
      })}
    </List>
  );
}

function Rail({ items, onOpen }: { items: readonly NavItem[]; onOpen: () => void }) {
  const t = useAppTexts();
  const { pathname } = useLocation();
  return (
    <List sx={{ padding: '4px' }}>
      {items.map((item) => {
        const Icon = menuIcons[item.icon];
        return (
          <ListItem key={item.name} disablePadding>
            <ListItemButton
              component={NavLink}
              to={item.path}
              end
              onClick={onOpen}
              autoFocus={item.path === pathname}
              sx={{ flexDirection: 'column', gap: '2px', padding: '8px 2px', minHeight: 56, textAlign: 'center', ...current }}
            >
              <Icon aria-hidden />
              <Box component="span" sx={{ fontSize: '0.75rem', lineHeight: 1.25 }}>{t(item.label)}</Box>
            </ListItemButton>
          </ListItem>
        );
      })}
    </List>
  );
}
