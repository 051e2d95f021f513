// The actions for selected rows, fixed at the bottom of the window without covering a row.
import CloseOutlined from '~icons/ic/outline-close';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useDeferredValue } from 'react';
import { useTranslation } from '../i18n/i18n.ts';
import { useFormat } from '../format/use-format.ts';
import { IconAction } from './IconAction.tsx';
import type { Selection } from './list-parts.ts';

/** Shown while rows are selected. Renders after the row's own checkmark, because it takes longer to draw. */
export function BulkBar({ selection: newest }: { selection: Selection }) {
  const selection = useDeferredValue(newest);
  return selection.selected.size > 0 && <Bar selection={selection} />;
}

function Bar({ selection }: { selection: Selection }) {
  const { t } = useTranslation('platform');
  const format = useFormat();
  const count = format.number(selection.count ?? selection.selected.size);
  const { more } = selection;
  return (
    <Stack
      direction="row"
      role="region"
      aria-label={t('table.selected', { count })}
      sx={{
        position: 'sticky',
        bottom: 0,
        zIndex: 2,
        gap: 1,
        alignItems: 'center',
        flexWrap: 'wrap',
        padding: '8px 16px',
        bgcolor: 'primary.soft',
        color: 'primary.softText',
        borderTop: '1px solid',
        borderColor: 'primary.main',
      }}
    >
      <Typography variant="subtitle2" component="p" role="status">
        {t('table.selected', { count })}
      </Typography>
      {selection.actions}
      {more && (
        <Button size="small" loading={more.isCounting} onClick={more.choose}>
          {t('table.select_matching', { count: format.number(more.total) })}
        </Button>
      )}
      <Box sx={{ marginInlineStart: 'auto' }}>
        <IconAction label={t('table.clear_selection')} onClick={() => selection.onChange(new Set())}>
          <CloseOutlined />
        </IconAction>
      </Box>
    </Stack>
  );
}
