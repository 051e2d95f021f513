// A list's views as tabs above it: predefined ones, the user's saved ones, and a button to save the current
// one.
import LinkOutlined from '~icons/ic/outline-link';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Stack from '@mui/material/Stack';
import Tab from '@mui/material/Tab';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Hint } from '#platform/web/ui/Hint.tsx';
import type { ViewTabsProps } from '#platform/web/ui/list-slots.ts';
import { ScrollableTabs } from '#platform/web/ui/ScrollableTabs.tsx';
import { useOwnViews } from './own-views.ts';
import { OwnViewMenu, SaveView, useCopyLink } from './ViewParts.tsx';

/** The value of the tabs when the list's state matches no view. */
const unsaved = false;

export function ViewTabs({ list, views, given, panel }: ViewTabsProps) {
  const { t } = useTranslation('identity');
  const copy = useCopyLink();
  const { own } = useOwnViews(list, views);
  const all = [
    ...given.map((one) => ({ ...one, key: one.view })),
    ...own.map((one) => ({ label: one.name, view: one.query, key: one.id as string })),
  ];
  // When both a saved view and a predefined one match, the saved one is selected, because the user named it
  // on purpose.
  const current = all.findLast((one) => one.view === views.now);
  const chosen = own.find((one) => one.id === current?.key);
  return (
    <Stack
      data-screen-only
      direction="row"
      sx={{
        alignItems: 'center',
        flexWrap: 'wrap',
        gap: '4px 8px',
        paddingInline: { xs: 1, sm: 2 },
        borderBottom: '1px solid',
        borderColor: 'divider',
      }}
    >
      <Box sx={{ flex: '1 1 200px', minWidth: 0 }}>
        <ScrollableTabs
          value={current?.key ?? unsaved}
          onChange={(_, key: string) => views.open(all.find((one) => one.key === key)?.view ?? '')}
          aria-label={t('identity.views')}
        >
          {all.map((one) => (
            <Tab key={one.key} value={one.key} label={one.label} aria-controls={panel} />
          ))}
        </ScrollableTabs>
      </Box>
      <Stack direction="row" sx={{ gap: 0.5, alignItems: 'center' }}>
        {chosen && <OwnViewMenu key={chosen.id} view={chosen} onDeleted={() => views.open('')} />}
        {!current && <SaveView list={list} view={views.now} own={own} />}
        <Hint text={t('identity.view_copy_link')}>
          <IconButton aria-label={t('identity.view_copy_link')} onClick={copy}>
            <LinkOutlined />
          </IconButton>
        </Hint>
      </Stack>
    </Stack>
  );
}
