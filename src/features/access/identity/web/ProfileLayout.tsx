// Parts of a page, one at a time: with a list at the side on wide screens and tabs on tablets; on phones all
// parts are below each other.
import Box from '@mui/material/Box';
import List from '@mui/material/List';
import ListItemButton from '@mui/material/ListItemButton';
import ListItemText from '@mui/material/ListItemText';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import { useTheme } from '@mui/material/styles';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useEffect, useId, type ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router';
import { DeferredRender } from '#platform/web/ui/DeferredRender.tsx';

export type ProfilePart = { readonly name: string; readonly label: string; readonly content: ReactNode };

const column = {
  display: 'grid',
  gap: { xs: 2, sm: 3 },
  gridTemplateColumns: 'minmax(0, 1fr)',
  alignContent: 'start',
  minWidth: 0,
} as const;

/** `label` names the list of parts. The open part is in the address: `?section=security`. */
export function ProfileLayout({ label, parts }: { label: string; parts: readonly ProfilePart[] }) {
  const theme = useTheme();
  const isWide = useMediaQuery(theme.breakpoints.up('md'));
  const isPhone = useMediaQuery(theme.breakpoints.down('sm'));
  const [params] = useSearchParams();
  const panel = useId();
  const wanted = params.get('section');
  const open = parts.find((part) => part.name === wanted) ?? parts[0];
  if (!open) return null;
  if (isPhone) return <OneColumn parts={parts} wanted={wanted} />;
  if (isWide) {
    return (
      <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: '208px minmax(0, 1fr)', alignItems: 'start' }}>
        <List
          component="nav"
          aria-label={label}
          disablePadding
          sx={{ position: 'sticky', top: 88, display: 'grid', gap: 0.5 }}
        >
          {parts.map((part) => (
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
        <Box key={open.name} sx={column}>
          {open.content}
        </Box>
      </Box>
    );
  }
  return (
    <Box sx={column}>
      <Tabs
        value={open.name}
        variant="scrollable"
        allowScrollButtonsMobile
        aria-label={label}
        sx={{ borderBottom: '1px solid', borderColor: 'divider' }}
      >
        {/* Links, so that the guard for unsaved changes asks before leaving. */}
        {parts.map((part) => (
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
      </Tabs>
      <Box key={open.name} role="tabpanel" id={panel} aria-labelledby={`${panel}-${open.name}`} sx={column}>
        {open.content}
      </Box>
    </Box>
  );
}

function OneColumn({ parts, wanted }: { parts: readonly ProfilePart[]; wanted: string | null }) {
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
