// The month of the address, and the choice of another of those that have figures.
import type { ReactNode } from 'react';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useParam } from '#platform/web/routing/use-param.ts';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { SelectBox } from '#platform/web/ui/SelectBox.tsx';
import type { MetricMonth } from '../contract.ts';

type Months = readonly MetricMonth[];

/** What is shown for the chosen month, otherwise for the last; without any, that there are no figures yet. */
export function OfMonth({
  months,
  children,
}: {
  months: Months;
  children: (chosen: MetricMonth, last: MetricMonth) => ReactNode;
}) {
  const { t } = useTranslation('metrics');
  const [wanted] = useParam('month');
  const last = months.at(-1);
  if (!last)
    return (
      <Section>
        <EmptyState title={t('metrics.empty')} hint={t('metrics.empty_hint')} />
      </Section>
    );
  return children(months.find(({ month }) => month === wanted) ?? last, last);
}

export function MonthBox({ months, month }: { months: Months; month: string }) {
  const { t } = useTranslation('metrics');
  const format = useFormat();
  const [, setMonth] = useParam('month');
  return (
    <SelectBox
      label={t('metrics.month')}
      value={month}
      options={months
        .toReversed()
        .map((one) => ({ value: one.month as string, label: format.month(one.month) }))}
      onChange={setMonth}
    />
  );
}
