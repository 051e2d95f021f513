// The five figures of a month, each with its comparison.
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { subtractMoney } from '#kernel/money.ts';
import type { BillingMonth, LocalDay } from '#kernel/shape.ts';
import { addMonths } from '#kernel/time.ts';
import type { Statistics } from '../contract.ts';
import type { Short } from '#platform/web/format/format.ts';
import { useBrand } from '#platform/web/shell/brand.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { dayNow, monthNow } from '#platform/web/time/months.ts';
import { Grid } from '#platform/web/ui/Section.tsx';
import { StatCard, type StatCardProps } from '#platform/web/ui/StatCard.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { costMoney } from './cost-texts.ts';
import { TrendWord } from './TrendWord.tsx';

export type UsageFiguresProps = {
  /** Undefined while loading. */
  readonly figures: Statistics | undefined;
  /** Opens the events of the month, or of its peak day. */
  readonly onMonth: (month: BillingMonth) => void;
  readonly onDay: (day: LocalDay) => void;
};

export function UsageFigures({ figures, onMonth, onDay }: UsageFiguresProps) {
  const { t } = useTranslation('usage');
  const format = useFormat();
  const zone = useBrand((brand) => brand.timeZone);
  const amountOf = (amount: string) => costMoney(amount, figures?.currency ?? 'TWD');
  const short = (amount: string | undefined) =>
    amount === undefined ? undefined : format.moneyShort(amountOf(amount));
  const { peakDay } = figures ?? {};
  const change = useChange(figures);
  return (
    <Grid columns={5} pairs>
      <StatCard
        label={t('usage.month_events')}
        value={figures && eventsText(figures.events)}
        note={
          <EventsLink
            note={t('usage.of_all_services')}
            label={
              figures && figures.events > 0
                ? t('usage.events_of', { what: format.month(figures.month) })
                : undefined
            }
            onClick={() => figures && onMonth(figures.month)}
          />
        }
      />
      <StatCard
        label={t('usage.peak_day')}
        value={figures && (peakDay ? format.moneyShort(amountOf(peakDay.cost.amount)) : t('usage.none'))}
        note={
          <EventsLink
            note={peakDay ? t('usage.on_day', { day: format.dayShort(peakDay.day) }) : t('usage.no_peak')}
            label={peakDay ? t('usage.events_of', { what: format.day(peakDay.day) }) : undefined}
            onClick={() => peakDay && onDay(peakDay.day)}
          />
        }
      />
      <StatCard
        label={t('usage.total_cost')}
        value={figures && format.moneyShort(figures.billed)}
        change={change}
      />
      <StatCard
        label={t('usage.average_cost')}
        value={short(figures?.averageDailyCost.amount)}
        note={t('usage.a_day')}
      />
      {/* In a two-column grid, the fifth figure fills the last row. */}
      <Box sx={{ display: 'grid', minWidth: 0, gridColumn: { xs: '1 / -1', lg: 'auto' } }}>
        <StatCard
          label={t('usage.projected_cost')}
          value={short(figures?.projectedCost.amount)}
          graphic={figures && <TrendWord trend={figures.trend} percent={figures.trendPercent} />}
          note={figures && rangeOf(figures)}
        />
      </Box>
    </Grid>
  );

  function eventsText(count: number): Short {
    const { text, full } = format.numberShort(count);
    return { text: t('usage.event_count', { count: text }), full: t('usage.event_count', { count: full }) };
  }

  function rangeOf({ projectedCost: { low, high }, month }: Statistics): string | undefined {
    if (low !== high)
      return t('usage.range', { low: format.money(amountOf(low)), high: format.money(amountOf(high)) });
    if (month < monthNow(zone)) return t('usage.month_over');
    // Later without a range: every day has cost the same, for example nothing besides the fees.
    return dayNow(zone).endsWith('-01') ? t('usage.nothing_to_project') : undefined;
  }
}

/** The note below a figure, with a link to its events. */
function EventsLink({
  note,
  label,
  onClick,
}: {
  note: string;
  label: string | undefined;
  onClick: () => void;
}) {
  const { t } = useTranslation('usage');
  return (
    <>
      {note}
      {label !== undefined && (
        <>
          {' '}
          <Link
            component="button"
            type="button"
            aria-haspopup="dialog"
            variant="caption"
            aria-label={label}
            onClick={onClick}
            data-screen-only
            sx={{ verticalAlign: 'baseline', whiteSpace: 'nowrap' }}
          >
            {t('usage.to_its_events')}
          </Link>
        </>
      )}
    </>
  );
}

/** The change compared with the whole previous month; undefined if that month had no cost. */
function useChange(figures: Statistics | undefined): StatCardProps['change'] {
  const { t } = useTranslation('usage');
  const format = useFormat();
  if (!figures || figures.previousBilled.minor === 0n) return undefined;
  const difference = subtractMoney(figures.billed, figures.previousBilled);
  return {
    direction: difference.minor === 0n ? 'flat' : difference.minor > 0n ? 'up' : 'down',
    text: t('usage.against', {
      amount: format.moneyChange(difference),
      // Only for display; the amounts stay exact.
      percent: format.percentChange(Number(difference.minor) / Number(figures.previousBilled.minor)),
      month: format.month(addMonths(figures.month, -1)),
    }),
  };
}
