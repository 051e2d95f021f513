// How far off the forecast was on the same day of previous months.
import type { UseQueryResult } from '@tanstack/react-query';
import { decimalText } from '#kernel/decimal.ts';
import { subtractMoney, moneyDecimal } from '#kernel/money.ts';
import type { Forecast } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { Money } from '#platform/web/ui/Money.tsx';
import { QueryState } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { costMoney } from '#features/metering/usage/web/parts.ts';
import { FigureTable } from './FigureTable.tsx';

export function ForecastPast({ query }: { query: UseQueryResult<Forecast> }) {
  const { t } = useTranslation('insights');
  const format = useFormat();
  const { data } = query;
  const lead =
    data && data.meanErrorPercent !== null
      ? t('insights.error_mean', {
          months: data.past.length,
          percent: format.percent(data.meanErrorPercent / 100),
        })
      : t('insights.error_lead');
  return (
    <Section title={t('insights.error')} lead={lead} flush>
      <QueryState query={query}>
        {({ past, currency }) =>
          past.length === 0 ? (
            <EmptyState compact title={t('insights.error_none')} hint={t('insights.error_none_hint')} />
          ) : (
            <FigureTable
              label={t('insights.error')}
              heads={[t('insights.month'), t('insights.said'), t('insights.came'), t('insights.off')]}
              rows={past.map((each) => {
                const [said, came] = [costMoney(each.said, currency), costMoney(each.came, currency)];
                return {
                  key: each.month,
                  cells: [
                    t('insights.on_day', { month: format.month(each.month), day: format.dayShort(each.day) }),
                    <Money key="said" amount={said} />,
                    <Money key="came" amount={came} />,
                    each.errorPercent === null
                      ? '–'
                      : format.moneyChange(subtractMoney(said, came)) +
                        format.aside(
                          decimalText(moneyDecimal(subtractMoney(said, came))) === '0'
                            ? format.percent(0)
                            : format.percentChange(each.errorPercent / 100),
                        ),
                  ],
                };
              })}
            />
          )
        }
      </QueryState>
    </Section>
  );
}
