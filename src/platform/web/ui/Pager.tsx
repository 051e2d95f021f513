// Below a list: the range of rows, the page size, and previous and next.
import ChevronLeftOutlined from '~icons/ic/outline-chevron-left';
import ChevronRightOutlined from '~icons/ic/outline-chevron-right';
import FirstPageOutlined from '~icons/ic/outline-first-page';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import type { Page } from '#kernel/shape.ts';
import { useTranslation } from '../i18n/i18n.ts';
import { useFormat } from '../format/use-format.ts';
import { IconAction } from './IconAction.tsx';
import { SelectBox } from './SelectBox.tsx';
import { pageSizes, type FilterValues, type TableState } from './table-state.ts';

export function Pager<F extends FilterValues>({
  page,
  state,
}: {
  page: Page<unknown>;
  state: TableState<F>;
}) {
  const { t } = useTranslation('platform');
  const format = useFormat();
  const total = format.number(page.total);
  const { skipped } = state;
  const next = page.nextCursor;
  const range =
    skipped === undefined || page.total === page.items.length
      ? t('table.rows_total', { total })
      : t('table.rows_range', {
          from: format.number(skipped + 1),
          to: format.number(skipped + page.items.length),
          total,
        });
  const isOnePage = !state.hasPrevious && next === null;
  return (
    <Stack
      direction="row"
      data-screen-only
      sx={{
        alignItems: 'center',
        justifyContent: 'flex-end',
        gap: 1,
        padding: { xs: '10px 16px', sm: '10px 24px' },
        borderTop: '1px solid',
        borderColor: 'divider',
        flexWrap: 'wrap',
      }}
    >
      <Typography variant="body2" color="textSecondary" className="tabular" sx={{ marginInlineEnd: 'auto' }}>
        {range}
      </Typography>
      {(!isOnePage || page.total > pageSizes[0]) && (
        <SelectBox
          label={t('table.page_size')}
          value={String(state.query.limit)}
          options={pageSizes.map((size) => ({ value: String(size), label: String(size) }))}
          onChange={(size) => state.setLimit(Number(size))}
        />
      )}
      {!isOnePage && (
        <Stack direction="row">
          <IconAction label={t('table.first_page')} disabled={!state.hasPrevious} onClick={state.openFirst}>
            <FirstPageOutlined />
          </IconAction>
          <IconAction
            label={t('table.previous_page')}
            disabled={!state.hasPrevious}
            onClick={state.openPrevious}
          >
            <ChevronLeftOutlined />
          </IconAction>
          <IconAction
            label={t('table.next_page')}
            disabled={next === null}
            onClick={() => next !== null && state.openNext(next)}
          >
            <ChevronRightOutlined />
          </IconAction>
        </Stack>
      )}
    </Stack>
  );
}
