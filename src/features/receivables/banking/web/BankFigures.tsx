// Four figures: open rows, rows that can be booked at once, overdue transfers, and whether bank and ledger
// agree.
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Grid } from '#platform/web/ui/Section.tsx';
import { StatCard } from '#platform/web/ui/StatCard.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import type { BankOverview } from '../contract.ts';

const lateAfterDays = 7;

export function BankFigures({ overview }: { overview: BankOverview | undefined }) {
  const { t } = useTranslation('banking');
  const format = useFormat();
  const differing = overview?.lines.filter((line) => line.difference.minor !== 0n) ?? [];
  const certain = overview?.certain ?? [];
  return (
    <Grid columns={4} pairs>
      <StatCard
        label={t('banking.to_do')}
        value={overview && format.number(overview.open + overview.matched)}
        {...(overview && { note: t('banking.to_do_note', { matched: format.number(overview.matched) }) })}
      />
      <StatCard
        label={t('banking.certain_count')}
        value={overview && format.number(certain.reduce((sum, each) => sum + each.count, 0))}
        {...(certain.length > 0 && { note: format.list(certain.map((each) => format.money(each.total))) })}
      />
      <StatCard
        label={t('banking.late_count')}
        value={overview && format.number(overview.late.total)}
        note={t('banking.late_note', { days: format.number(lateAfterDays) })}
      />
      <StatCard
        label={t('banking.difference')}
        value={
          overview &&
          (differing.length === 0
            ? t('banking.agrees')
            : format.list(differing.map((line) => format.money(line.difference))))
        }
      />
    </Grid>
  );
}
