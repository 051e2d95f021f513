// One rate of a matrix as a row of its grid; rendered again only if it changes.
import ArrowDownwardOutlined from '~icons/ic/outline-arrow-downward';
import ArrowUpwardOutlined from '~icons/ic/outline-arrow-upward';
import DeleteOutlined from '~icons/ic/outline-delete';
import { memo } from 'react';
import * as z from 'zod/mini';
import type { Currency } from '#kernel/money.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { MatrixRate } from '#features/selling/rating/contract.ts';
import type { RateFields } from './rate-fields.ts';

export type RowProblems = { readonly when?: string; readonly price?: string };
export type RowActions = {
  readonly change: (uid: string, change: Partial<RateFields>) => void;
  readonly remove: (uid: string) => void;
  readonly move: (uid: string, by: -1 | 1) => void;
};

export type MatrixRowProps = {
  readonly rate: RateFields;
  readonly row: number;
  readonly isLast: boolean;
  readonly columns: readonly string[];
  readonly currency: Currency;
  readonly problems: RowProblems;
  readonly actions: RowActions;
};

export const MatrixRow = memo(
  function MatrixRow({ rate, row, isLast, columns, currency, problems, actions }: MatrixRowProps) {
    const { t } = useTranslation('catalogue');
    const number = row + 1;
    const isWrong = (at: number): boolean => at === 0 && problems.when !== undefined;
    return (
      <tr>
        <th scope="row" id={`${rate.uid}-number`}>
          {number}
        </th>
        {columns.map((column, at) => (
          <td key={column} className="cell">
            <input
              value={rate.when[column] ?? ''}
              aria-label={t('catalogue.rate_cell', { column, number })}
              placeholder={t('catalogue.rate_any')}
              maxLength={100}
              autoComplete="off"
              spellCheck={false}
              data-row={row}
              data-column={at}
              {...(isWrong(at) && { 'aria-invalid': true, 'aria-describedby': `${rate.uid}-when` })}
              onChange={(event) =>
                actions.change(rate.uid, { when: { ...rate.when, [column]: event.target.value } })
              }
            />
            {isWrong(at) && (
              <span className="wrong" id={`${rate.uid}-when`}>
                {problems.when}
              </span>
            )}
          </td>
        ))}
        <td className="cell price">
          {rate.agreed === '' ? (
            <input
              value={rate.unitPrice}
              aria-label={t('catalogue.rate_cell', { column: t('catalogue.unit_price'), number })}
              inputMode="decimal"
              maxLength={40}
              autoComplete="off"
              data-row={row}
              data-column={columns.length}
              {...(problems.price !== undefined && {
                'aria-invalid': true,
                'aria-describedby': `${rate.uid}-price`,
              })}
              onChange={(event) => actions.change(rate.uid, { unitPrice: event.target.value })}
            />
          ) : (
            <Agreed rate={rate} currency={currency} />
          )}
          {problems.price !== undefined && (
            <span className="wrong" id={`${rate.uid}-price`}>
              {problems.price}
            </span>
          )}
        </td>
        <td className="actions">
          <div>
            <button
              type="button"
              aria-label={t('catalogue.rate_up', { number })}
              title={t('catalogue.rate_up', { number })}
              disabled={row === 0}
              onClick={() => actions.move(rate.uid, -1)}
            >
              <ArrowUpwardOutlined aria-hidden />
            </button>
            <button
              type="button"
              aria-label={t('catalogue.rate_down', { number })}
              title={t('catalogue.rate_down', { number })}
              disabled={isLast}
              onClick={() => actions.move(rate.uid, 1)}
            >
              <ArrowDownwardOutlined aria-hidden />
            </button>
            <button
              type="button"
              aria-label={t('catalogue.rate_remove', { number })}
              title={t('catalogue.rate_remove', { number })}
              onClick={() => actions.remove(rate.uid)}
            >
              <DeleteOutlined aria-hidden />
            </button>
          </div>
        </td>
      </tr>
    );
  },
  (before, after) => {
    const { rate: one, problems: wrong, columns, ...rest } = before;
    const { rate: other, problems: wrongNow, columns: columnsNow, ...restNow } = after;
    return (
      JSON.stringify([one, wrong, columns]) === JSON.stringify([other, wrongNow, columnsNow]) &&
      rest.row === restNow.row &&
      rest.isLast === restNow.isLast &&
      rest.currency === restNow.currency
    );
  },
);

/** The price of a rate with tiers or a package: only the API creates such rates, and the form keeps them. */
function Agreed({ rate, currency }: { rate: RateFields; currency: Currency }) {
  const { t } = useTranslation('catalogue');
  const format = useFormat();
  const read = z.safeParse(MatrixRate, { when: {}, ...(JSON.parse(rate.agreed) as object) });
  const text = !read.success
    ? rate.agreed
    : 'tiers' in read.data
      ? t('catalogue.rate_tiers', { count: read.data.tiers.length })
      : 'package' in read.data
        ? t('catalogue.rate_package', {
            price: format.unitPrice(read.data.package.packagePrice, currency),
            size: format.number(read.data.package.packageSize),
          })
        : rate.agreed;
  return (
    <span className="agreed" title={t('catalogue.rate_agreed_help')}>
      {text}
    </span>
  );
}
