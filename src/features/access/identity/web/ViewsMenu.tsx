// A list's saved views in a popover: open, rename, delete, save the current view, copy its URL.
import CheckOutlined from '~icons/ic/outline-check';
import LinkOutlined from '~icons/ic/outline-link';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import ListItemButton from '@mui/material/ListItemButton';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import type { ViewsMenuProps } from '#platform/web/ui/list-slots.ts';
import { ErrorState } from '#platform/web/ui/ErrorState.tsx';
import { Lines } from '#platform/web/ui/QueryState.tsx';
import { useOwnViews } from './own-views.ts';
import { OwnViewMenu, SaveView, useCopyLink } from './ViewParts.tsx';

export function ViewsMenu({ list, views, onClose }: ViewsMenuProps) {
  const { t } = useTranslation('identity');
  const copy = useCopyLink();
  const { own, isLoading, error, refetch } = useOwnViews(list, views);
  const all = [{ id: undefined, name: t('ui.all'), query: '' }, ...own];
  const isSaved = all.some((view) => view.query === views.now);
  const open = (view: string): void => {
    views.open(view);
    onClose();
  };
  return (
    <Stack>
      {isLoading && (
        <Box sx={{ padding: 2 }}>
          <Lines count={2} />
        </Box>
      )}
      {error && (
        <Box sx={{ padding: 2 }}>
          <ErrorState error={error} onRetry={() => void refetch()} />
        </Box>
      )}
      <Box
        component="ul"
        aria-label={t('identity.views')}
        sx={{ listStyle: 'none', margin: 0, padding: '8px', maxHeight: 'min(50vh, 400px)', overflow: 'auto' }}
      >
        {all.map((view) => {
          const isCurrent = view.query === views.now;
          return (
            <Stack component="li" key={view.id ?? ''} direction="row" sx={{ alignItems: 'center', gap: 0.5 }}>
              <ListItemButton
                selected={isCurrent}
                aria-current={isCurrent ? 'true' : undefined}
                onClick={() => open(view.query)}
                sx={{ minWidth: 0, gap: 1, paddingInline: 1 }}
              >
                <Box aria-hidden sx={{ width: 20, height: 20, color: 'primary.main' }}>
                  {isCurrent && <CheckOutlined />}
                </Box>
                <Typography variant="body2" sx={{ overflowWrap: 'anywhere' }}>
                  {view.name}
                </Typography>
              </ListItemButton>
              {view.id !== undefined && (
                <OwnViewMenu view={view} onDeleted={() => isCurrent && views.open('')} />
              )}
            </Stack>
          );
        })}
        {!isLoading && own.length === 0 && (
          <Typography component="li" variant="body2" color="textSecondary" sx={{ padding: '4px 8px' }}>
            {t('identity.views_none')}
          </Typography>
        )}
      </Box>
      <Stack
        direction="row"
        sx={{
          gap: 1,
          padding: '8px 12px',
          borderTop: '1px solid',
          borderColor: 'divider',
          flexWrap: 'wrap',
          justifyContent: 'space-between',
        }}
      >
        {isSaved ? <span /> : <SaveView list={list} view={views.now} own={own} />}
        <Button size="small" startIcon={<LinkOutlined />} onClick={copy}>
          {t('identity.view_copy_link')}
        </Button>
      </Stack>
    </Stack>
  );
}
