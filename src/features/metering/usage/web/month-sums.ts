// How the days of a month lead to its bill: rows below the days of a table, and a sentence above a chart.
import { decimal, decimalText, isZero } from '#kernel/decimal.ts';
import { moneyText, sumMoney, type Currency } from '#kernel/money.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import type { MonthSum } from '../contract.ts';
import { sumTexts } from './cost-texts.ts';

/** The sums of one month over several subscriptions; costs of one currency. */
export function monthTotals(sums: readonly MonthSum[], currency: Currency): MonthSum[] {
  const byMonth = Map.groupBy(
    sums.filter(({ billed }) => billed.currency === currency),
    ({ month }) => month,
  );
  return [...byMonth].map(([month, same]): MonthSum => ({
    month,
    days: sumTexts(same.map(({ days }) => days)),
    wholeMonth: sumTexts(same.map(({ wholeMonth }) => wholeMonth)),
    fees: sumTexts(same.map(({ fees }) => fees)),
    limits: sumTexts(same.map(({ limits }) => limits)),
    rounding: sumTexts(same.map(({ rounding }) => rounding)),
    billed: sumMoney(
      same.map(({ billed }) => billed),
      currency,
    ),
  }));
}

/** Returns the rows of months as name and amount, and the sentence about what is in no day. */
export function useMonthSums(): {
  readonly rows: (sums: readonly MonthSum[]) => [name: string, amount: string][];
  readonly sentence: (sums: readonly MonthSum[]) => string;
} {
  const { t } = useTranslation('usage');
  const format = useFormat();
  const text = (amount: string, { billed }: MonthSum): string => format.unitPrice(amount, billed.currency);
  return {
    rows: (sums) =>
      sums.flatMap((sum) => {
        const named = (name: string): string =>
          sums.length === 1 ? name : t('usage.sum_of', { name, month: format.month(sum.month) });
        const rest: [string, string][] = [
          [t('usage.sum_whole_month'), sum.wholeMonth],
          [t('usage.sum_fees'), sum.fees],
          [t('usage.sum_limits'), sum.limits],
          [t('usage.sum_rounding'), sum.rounding],
        ];
        const there = rest.filter(([, amount]) => !isZero(decimal(amount)));
        const days: [string, string] = [t('usage.sum_days'), sum.days];
        return [
          ...(there.length === 0 ? [] : [days, ...there]).map(([name, amount]): [string, string] => [
            named(name),
            text(amount, sum),
          ]),
          [named(t('usage.sum_billed')), text(moneyText(sum.billed), sum)],
        ];
      }),
    sentence: (sums) =>
      format.sentences(
        ...sums
          .map((sum) => ({ sum, amount: decimal(sum.wholeMonth).plus(decimal(sum.limits)) }))
          .filter(({ amount }) => !isZero(amount))
          .map(({ sum, amount }) =>
            t('usage.in_no_day', {
              amount: text(decimalText(amount), sum),
              month: format.month(sum.month),
            }),
          ),
      ),
  };
}
