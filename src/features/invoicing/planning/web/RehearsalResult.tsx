// The result of a rehearsal: sums, months, the number of customers paying more or less, and the full list as
// a download.
import DownloadOutlined from '~icons/ic/outline-download';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { exportFormats } from '#features/selling/catalogue/contract.ts';
import type { planning, Rehearsal } from '../contract.ts';
import type { In } from '#kernel/contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { Money } from '#platform/web/ui/Money.tsx';
import { Sparkline } from '#platform/web/ui/Sparkline.tsx';
import { useDownload } from '#platform/web/api/use-download.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { planningApi } from './api.ts';
import { Bar } from './Bar.tsx';
import { RehearsalMonths } from './RehearsalMonths.tsx';

export type RehearsalResultProps = {
  readonly rehearsal: Rehearsal;
  readonly input: In<typeof planning.simulate>;
};

const directions = ['all', 'more', 'less'] as const;
type Direction = (typeof directions)[number];

export function RehearsalResult({ rehearsal, input }: RehearsalResultProps) {
  const { t } = useTranslation('planning');
  const format = useFormat();
  const { total, counts, warnings, organizations, byMonth } = rehearsal;
  if (organizations === 0) return <Alert severity="info">{t('planning.rehearsal_empty')}</Alert>;
  const change = format.moneyChange(total.difference);
  return (
    <Stack sx={{ gap: 2 }}>
      <Box>
        <Typography variant="kpi" component="p" role="status">
          {total.percent === null
            ? change
            : t('planning.total_change', { difference: change, percent: signed(total.percent) })}
        </Typography>
        <Typography variant="body2" color="textSecondary">
          {t('planning.rehearsal_sentence', {
            months: rehearsal.months.length,
            more: format.number(counts.more),
            less: format.number(counts.less),
            same: format.number(counts.same),
          })}
        </Typography>
      </Box>
      <Facts
        items={[
          [t('planning.before'), <Money key="before" amount={total.before} />],
          [t('planning.after'), <Money key="after" amount={total.after} />],
          [
            t('planning.exact_difference'),
            <Box key="exact" component="span" className="tabular">
              {format.unitPrice(total.exactDifference, rehearsal.currency)}
            </Box>,
          ],
          [
            t('planning.priced'),
            t('planning.priced_count', {
              organizations: format.number(organizations),
              subscriptions: format.number(rehearsal.subscriptions),
            }),
          ],
        ]}
      />
      {/* used as: 'planning.warning_*' */}
      {warnings.map(({ code, count }) => (
        <Alert key={code} severity={code === 'agreed_price' ? 'info' : 'warning'}>
          {t(`planning.warning_${code}`, { count: format.number(count) })}
        </Alert>
      ))}
      {byMonth.length > 1 && <RehearsalMonths rehearsal={rehearsal} />}
      <Affected rehearsal={rehearsal} input={input} />
    </Stack>
  );
}

const signed = (percent: number): string => `${percent > 0 ? '+' : ''}${percent}`;

function Affected({ rehearsal, input }: RehearsalResultProps) {
  const { t } = useTranslation('planning');
  const format = useFormat();
  const [direction, setDirection] = useState<Direction>('all');
  const { affected, organizations } = rehearsal;
  const isShown = ({ difference: { minor } }: Rehearsal['affected'][number]): boolean =>
    minor !== 0n && (direction === 'all' || (direction === 'more') === minor > 0n);
  const shown = affected.filter(isShown);
  const most = affected.reduce(
    (max, { difference: { minor } }) =>
      minor < 0n ? (-minor > max ? -minor : max) : minor > max ? minor : max,
    0n,
  );
  return (
    <Stack component="section" sx={{ gap: 1 }}>
      <Stack
        direction="row"
        sx={{ gap: 1, alignItems: 'center', justifyContent: 'space-between', flexWrap: 'wrap' }}
      >
        <Typography variant="subtitle2" component="h5">
          {t('planning.affected')}
        </Typography>
        <ToggleButtonGroup
          exclusive
          size="small"
          value={direction}
          aria-label={t('planning.affected_filter')}
          onChange={(_, next: Direction | null) => next && setDirection(next)}
        >
          {/* used as: 'planning.affected_*' */}
          {directions.map((one) => (
            <ToggleButton key={one} value={one}>
              {t(`planning.affected_${one}`)}
            </ToggleButton>
          ))}
        </ToggleButtonGroup>
      </Stack>
      {shown.length === 0 && (
        <Typography variant="body2" color="textSecondary">
          {t('planning.affected_none')}
        </Typography>
      )}
      <Box
        component="ol"
        aria-label={t('planning.affected')}
        tabIndex={shown.length > 6 ? 0 : undefined}
        sx={{
          listStyle: 'none',
          margin: 0,
          padding: 0,
          display: 'grid',
          maxHeight: 420,
          overflow: 'auto',
          bgcolor: 'background.paper',
          border: shown.length > 0 ? '1px solid' : 0,
          borderColor: 'divider',
          borderRadius: '5px',
          '& > li + li': { borderTop: '1px solid', borderColor: 'divider' },
        }}
      >
        {shown.map((one) => (
          <Customer key={one.organizationId} customer={one} most={most} />
        ))}
      </Box>
      <Stack
        direction="row"
        sx={{ gap: 1, alignItems: 'center', flexWrap: 'wrap', justifyContent: 'space-between' }}
      >
        <Typography variant="caption" color="textSecondary">
          {organizations > affected.length
            ? t('planning.affected_most', { shown: affected.length, count: format.number(organizations) })
            : ''}
        </Typography>
        <Export input={input} />
      </Stack>
    </Stack>
  );
}

function Customer({
  customer: { name, before, after, difference, percent, months },
  most,
}: {
  customer: Rehearsal['affected'][number];
  most: bigint;
}) {
  const { t } = useTranslation('planning');
  const format = useFormat();
  const paysMore = difference.minor > 0n;
  return (
    <Box
      component="li"
      sx={{
        display: 'grid',
        gap: '4px 16px',
        padding: '8px 12px',
        alignItems: 'center',
        gridTemplateColumns: { xs: 'minmax(0, 1fr) auto', sm: 'minmax(0, 1fr) 88px auto' },
      }}
    >
      <Box sx={{ minWidth: 0 }}>
        <Typography variant="body2" sx={{ overflowWrap: 'anywhere' }}>
          {name}
        </Typography>
        <Typography variant="caption" color="textSecondary" className="tabular">
          {t('planning.from_to', { before: format.money(before), after: format.money(after) })}
        </Typography>
      </Box>
      <Box sx={{ display: { xs: 'none', sm: 'block' } }}>
        {months.length > 1 && (
          <Sparkline
            height={24}
            tone={paysMore ? 'warning' : 'primary'}
            values={months.map((month) => Number(month.after.minor - month.before.minor))}
            label={t('planning.curve', {
              name,
              values: format.list(
                months.map(
                  (month) =>
                    `${format.monthShort(month.month)} ${format.moneyChange({ ...month.after, minor: month.after.minor - month.before.minor })}`,
                ),
              ),
            })}
          />
        )}
      </Box>
      <Box sx={{ textAlign: 'end' }}>
        <Typography variant="body2" className="tabular" sx={{ fontWeight: 700 }}>
          {format.moneyChange(difference)}
        </Typography>
        <Typography variant="caption" color="textSecondary" className="tabular">
          {percent === null ? t('planning.was_free') : `${signed(percent)}%`}
        </Typography>
      </Box>
      <Box sx={{ gridColumn: '1 / -1' }}>
        <Bar part={difference.minor} whole={most} tone={paysMore ? 'warning' : 'success'} />
      </Box>
    </Box>
  );
}

function Export({ input }: { input: RehearsalResultProps['input'] }) {
  const { t } = useTranslation('planning');
  const download = useDownload();
  const [isBusy, setIsBusy] = useState(false);
  const take = async (wanted: (typeof exportFormats)[number]) => {
    setIsBusy(true);
    await download((options) => planningApi.exportSimulation({ ...input, format: wanted }, options));
    setIsBusy(false);
  };
  return (
    <Stack direction="row" sx={{ gap: 1 }}>
      {/* used as: 'planning.export_*' */}
      {exportFormats.map((one) => (
        <Button
          key={one}
          size="small"
          startIcon={<DownloadOutlined />}
          disabled={isBusy}
          onClick={() => void take(one)}
        >
          {t(`planning.export_${one}`)}
        </Button>
      ))}
    </Stack>
  );
}
