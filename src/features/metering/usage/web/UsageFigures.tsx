// The five figures of a month, each with its comparison.
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { decimal } from '#kernel/decimal.ts';
import { subtractMoney } from '#kernel/money.ts';
import type { Statistics } from '../contract.ts';
import { useBrand } from '#platform/web/shell/brand.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { monthNow } from '#platform/web/time/months.ts';
import { Grid } from '#platform/web/ui/Section.tsx';
import { StatCard } from '#platform/web/ui/StatCard.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { costMoney } from './cost-texts.ts';
import { TrendWord } from './TrendWord.tsx';

export type UsageFiguresProps = {
  /** Undefined while loading. */
  readonly figures: Statistics | undefined;
  /** Opens the events of the month, or of its peak day. */
  readonly onMonth: (month: string) => void;
  readonly onDay: (day: string) => void;
};

export function UsageFigures({ figures, onMonth, onDay }: UsageFiguresProps) {
  const { t } = useTranslation('usage');
  const format = useFormat();
  const zone = useBrand((brand) => brand.timeZone);
  const amountOf = (amount: string) => costMoney(amount, figures?.currency ?? 'TWD');
  const short = (amount: string | undefined) =>
    amount === undefined ? undefined : format.moneyShort(amountOf(amount));
  const { peakDay } = figures ?? {};
  const peak = peakDay
    ? { text: format.dayShort(peakDay.day), full: format.day(peakDay.day) }
    : t('usage.none');
  return (
    <Grid columns={5} pairs>
      <StatCard
        label={t('usage.month_events')}
        value={figures && format.numberShort(figures.events)}
        note={
          <EventsLink
            note={t('usage.month_events_note')}
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
        value={figures && peak}
        note={
          <EventsLink
            note={peakDay ? format.money(amountOf(peakDay.cost.amount)) : t('usage.no_peak')}
            label={peakDay ? t('usage.events_of', { what: format.day(peakDay.day) }) : undefined}
            onClick={() => peakDay && onDay(peakDay.day)}
          />
        }
      />
      <StatCard
        label={t('usage.total_cost')}
        value={figures && format.moneyShort(figures.billed)}
        {...(figures && changeOf(figures, format))}
        note={figures && t('usage.previous', { amount: format.money(figures.previousBilled) })}
      />
      <StatCard
        label={t('usage.average_cost')}
        value={short(figures?.averageDailyCost.amount)}
        note={t('usage.before_tax')}
      />
      {/* The fifth of a grid of pairs has the row for itself. */}
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

  function rangeOf({ projectedCost: { low, high }, month }: Statistics): string {
    if (low === high) return month < monthNow(zone) ? t('usage.month_over') : t('usage.nothing_to_project');
    return t('usage.range', { low: format.money(amountOf(low)), high: format.money(amountOf(high)) });
  }
}

/** A figure's small print with the way down to its events. */
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

/** The change from the month before; undefined when that month had no costs to compare with. */
function changeOf(figures: Statistics, format: ReturnType<typeof useFormat>) {
  const { totalCost, previousCost } = figures;
  const [now, before] = [decimal(totalCost.amount), decimal(previousCost.amount)];
  if (before.eq('0')) return {};
  const difference = subtractMoney(figures.billed, figures.previousBilled);
  const direction =
    difference.minor === 0n ? ('flat' as const) : difference.minor > 0n ? ('up' as const) : ('down' as const);
  // Only shown: the amounts stay exact.
  const ratio = Number(now.toFixed()) / Number(before.toFixed()) - 1;
  return {
    change: { direction, text: format.moneyChange(difference) + format.aside(format.percentChange(ratio)) },
  };
}
