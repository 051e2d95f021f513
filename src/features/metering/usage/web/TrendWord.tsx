// The trend of the last six months' costs: an arrow, a word, and the monthly change.
import TrendingDownOutlined from '~icons/ic/outline-trending-down';
import TrendingFlatOutlined from '~icons/ic/outline-trending-flat';
import TrendingUpOutlined from '~icons/ic/outline-trending-up';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import type { Statistics } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useFormat } from '#platform/web/format/use-format.ts';

const arrows = {
  increasing: TrendingUpOutlined,
  decreasing: TrendingDownOutlined,
  stable: TrendingFlatOutlined,
} as const;

export function TrendWord({ trend, percent }: { trend: Statistics['trend']; percent: number }) {
  const { t } = useTranslation('usage');
  const format = useFormat();
  const Arrow = arrows[trend];
  return (
    <Stack
      direction="row"
      component="span"
      sx={{ gap: '4px', alignItems: 'center', color: 'text.secondary' }}
    >
      <Arrow aria-hidden sx={{ fontSize: 18 }} />
      {/* used as: 'usage.trend_*' */}
      <Typography variant="caption" component="span" className="tabular">
        {t('usage.trend_line', {
          trend: t(`usage.trend_${trend}`),
          percent: format.percentChange(percent / 100),
        })}
      </Typography>
    </Stack>
  );
}
