// The lines of a bill down to its total: a table on wide screens, stacked on phones.
import { inLanguage } from '#kernel/language.ts';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableFooter from '@mui/material/TableFooter';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import { useTheme } from '@mui/material/styles';
import useMediaQuery from '@mui/material/useMediaQuery';
import { decimal } from '#kernel/decimal.ts';
import { money, moneyDecimal, subtractMoney, type Money as Amount } from '#kernel/money.ts';
import type { BillDetail, BillLine } from '../contract.ts';
import { groupLines } from '../rules-groups.ts';
import { isUncounted } from '../rules-priced-by.ts';
import { useLanguage, useTranslation } from '#platform/web/i18n/i18n.ts';
import { Money, Quantity, UnitPrice } from '#platform/web/ui/Money.tsx';
import { namedPeriod, periodOfUnit } from '#features/selling/rating/rules.ts';
import { useChargeName } from '#features/selling/rating/web/parts.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTaxRows } from './tax-words.ts';

const one = decimal('1');
/** The name of a service above its lines. */
const heading = { color: 'text.secondary', fontWeight: 400, overflowWrap: 'anywhere' } as const;
type Billed = Pick<BillDetail, 'lines' | 'currency' | 'net' | 'taxRate' | 'taxes' | 'tax' | 'total'> & {
  /** The amount that prepaid credit would pay in the current month. */
  readonly prepaid?: Amount;
};

export type BillLinesProps = {
  readonly bill: Billed;
  /** Opens the explanation of a line; without it, names are plain text. */
  readonly onExplain?: ((line: BillLine) => void) | undefined;
  /** An accessible name that distinguishes these lines from another bill's on the same page. */
  readonly label?: string;
};

export function BillLines(props: BillLinesProps) {
  const theme = useTheme();
  return useMediaQuery(theme.breakpoints.down('sm')) ? <Stacked {...props} /> : <Rows {...props} />;
}

function Rows({ bill, onExplain, label }: BillLinesProps) {
  const { t } = useTranslation('billing');
  const name = label ?? t('billing.lines');
  return (
    <TableContainer
      tabIndex={0}
      role="region"
      aria-label={name}
      sx={{ border: '1px solid', borderColor: 'divider', borderRadius: '5px' }}
    >
      <Table
        aria-label={name}
        sx={{ '@media print': { '& tr': { breakInside: 'avoid' }, '& button': { color: 'text.primary' } } }}
      >
        <TableHead>
          <TableRow>
            <TableCell>{t('billing.service')}</TableCell>
            <TableCell align="right">{t('billing.quantity')}</TableCell>
            <TableCell align="right">{t('billing.unit_price')}</TableCell>
            <TableCell align="right">{t('billing.line_total')}</TableCell>
          </TableRow>
        </TableHead>
        <TableBody sx={{ '& td, & th': { verticalAlign: 'top', paddingBlock: '10px' } }}>
          {groupLines(bill.lines, bill.currency).flatMap(({ key, serviceName, subtotal, lines }) => [
            ...(subtotal
              ? [
                  <TableRow key={key}>
                    <TableCell component="th" scope="row" colSpan={3} sx={{ ...heading, borderBottom: 0 }}>
                      {serviceName}
                    </TableCell>
                    <TableCell align="right" sx={{ ...heading, borderBottom: 0 }}>
                      <Money amount={subtotal} />
                    </TableCell>
                  </TableRow>,
                ]
              : []),
            ...lines.map((line) => (
              <TableRow key={line.id}>
                <TableCell
                  component="th"
                  scope="row"
                  sx={{ fontWeight: 400, ...(subtotal && { paddingInlineStart: '32px' }) }}
                >
                  <Name line={line} onExplain={onExplain} isGrouped={subtotal !== undefined} />
                </TableCell>
                <TableCell align="right">
                  <LineQuantity line={line} />
                </TableCell>
                <TableCell align="right">
                  <LinePrice line={line} currency={bill.currency} />
                </TableCell>
                <TableCell align="right">
                  <LineTotal line={line} />
                </TableCell>
              </TableRow>
            )),
          ])}
        </TableBody>
        {/* A footer would be printed on every page; this row shows the totals once, at the end. */}
        <TableFooter
          sx={{
            '@media print': { display: 'table-row-group' },
            '& tr:first-of-type > *': { borderTop: '1px solid', borderTopColor: 'text.secondary' },
          }}
        >
          {useTotals(bill).map(([label, amount, isResult]) => (
            <TableRow key={label}>
              <TableCell
                colSpan={3}
                align="right"
                component="th"
                scope="row"
                sx={{ color: 'text.primary', fontSize: '0.875rem', fontWeight: isResult ? 700 : 400 }}
              >
                {label}
              </TableCell>
              <TableCell align="right" sx={{ color: 'text.primary', fontSize: '0.875rem' }}>
                <Money amount={amount} strong={isResult} />
              </TableCell>
            </TableRow>
          ))}
        </TableFooter>
      </Table>
    </TableContainer>
  );
}

function Stacked({ bill, onExplain, label }: BillLinesProps) {
  const { t } = useTranslation('billing');
  return (
    <Box>
      <Box
        component="ul"
        aria-label={label ?? t('billing.lines')}
        sx={{ listStyle: 'none', margin: 0, padding: 0 }}
      >
        {groupLines(bill.lines, bill.currency).flatMap(({ key, serviceName, subtotal, lines }) => [
          ...(subtotal
            ? [
                <Box
                  component="li"
                  key={key}
                  sx={{
                    ...heading,
                    display: 'flex',
                    justifyContent: 'space-between',
                    gap: '16px',
                    paddingTop: '10px',
                    borderTop: '1px solid',
                    borderColor: 'divider',
                    fontSize: '0.875rem',
                  }}
                >
                  <Box component="span" sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
                    {serviceName}
                  </Box>
                  <Money amount={subtotal} />
                </Box>,
              ]
            : []),
          ...lines.map((line) => (
            <Box
              component="li"
              key={line.id}
              sx={{
                ...(subtotal && { paddingInlineStart: '12px' }),
                paddingBlock: '10px',
                borderTop: '1px solid',
                borderColor: 'divider',
                fontSize: '0.875rem',
              }}
            >
              <Name line={line} onExplain={onExplain} isGrouped={subtotal !== undefined} />
              <Box
                sx={{
                  display: 'flex',
                  justifyContent: 'space-between',
                  gap: '2px 16px',
                  marginTop: '4px',
                  flexWrap: 'wrap',
                }}
              >
                <Box component="span" sx={{ color: 'text.secondary' }}>
                  <LineProduct line={line} currency={bill.currency} />
                </Box>
                <Box component="span" sx={{ textAlign: 'end', marginInlineStart: 'auto' }}>
                  <LineTotal line={line} />
                </Box>
              </Box>
            </Box>
          )),
        ])}
      </Box>
      <Box
        component="dl"
        sx={{
          display: 'grid',
          gridTemplateColumns: '1fr auto',
          gap: '6px 16px',
          margin: 0,
          paddingTop: '10px',
          borderTop: '1px solid',
          borderColor: 'text.secondary',
          fontSize: '0.875rem',
        }}
      >
        {useTotals(bill).map(([label, amount, isResult]) => (
          <Box key={label} sx={{ display: 'contents', fontWeight: isResult ? 700 : 400 }}>
            <dt>{label}</dt>
            <Box component="dd" sx={{ margin: 0, textAlign: 'end' }}>
              <Money amount={amount} strong={isResult} />
            </Box>
          </Box>
        ))}
      </Box>
    </Box>
  );
}

/**
 * Quantity × price in one line; an amount that is not such a product, such as a discount, shows at most its
 * percentage.
 */
function LineProduct({ line, currency }: { line: BillLine; currency: Billed['currency'] }) {
  if (line.term && line.kind !== 'one_off')
    return percentOf(line) !== undefined ? <LinePrice line={line} currency={currency} /> : null;
  return (
    <>
      <LineQuantity line={line} /> {line.unitPrice === null && percentOf(line) === undefined ? '·' : '×'}{' '}
      <LinePrice line={line} currency={currency} />
    </>
  );
}

function useTotals(bill: Billed): readonly (readonly [label: string, amount: Amount, isResult: boolean])[] {
  const { t } = useTranslation('billing');
  const { prepaid, total } = bill;
  return [
    [t('billing.net'), bill.net, false],
    ...useTaxRows(bill).map(([label, amount]) => [label, amount, false] as const),
    [t('billing.total_with_tax'), total, true],
    ...(prepaid === undefined || prepaid.minor === 0n
      ? []
      : ([
          [t('billing.prepaid_credit'), money(-prepaid.minor, prepaid.currency), false],
          [t('billing.left_to_pay'), subtractMoney(total, prepaid), true],
        ] as const)),
  ];
}

type NameProps = Pick<BillLinesProps, 'onExplain'> & {
  readonly line: BillLine;
  /** Whether the service's name is shown above. */
  readonly isGrouped: boolean;
};

function Name({ line, onExplain, isGrouped }: NameProps) {
  const { t } = useTranslation('billing');
  const format = useFormat();
  const language = useLanguage();
  const name = useChargeName()(line);
  // used as: 'billing.kind_*'
  const kind =
    line.forMonth === undefined
      ? t(`billing.kind_${line.kind}`)
      : t('billing.kind_adjustment_of', { month: format.month(line.forMonth) });
  const shown = isGrouped ? (inLanguage((line.charge ?? line.term)?.name, language) ?? kind) : name;
  return (
    <>
      {onExplain ? (
        <Link
          component="button"
          type="button"
          aria-haspopup="dialog"
          underline="hover"
          data-standalone
          aria-label={t('billing.why_of', { service: name })}
          onClick={() => onExplain(line)}
          sx={{
            overflowWrap: 'anywhere',
            textAlign: 'start',
            fontSize: 'inherit',
            lineHeight: 'inherit',
            verticalAlign: 'baseline',
          }}
        >
          {shown}
        </Link>
      ) : (
        <Box component="span" sx={{ overflowWrap: 'anywhere' }}>
          {shown}
        </Box>
      )}
      {line.kind !== 'usage' && !(line.charge && line.kind === 'base_fee') && shown !== kind && (
        <Typography variant="caption" component="span" color="textSecondary" sx={{ display: 'block' }}>
          {kind}
        </Typography>
      )}
      <LinePeriod line={line} />
    </>
  );
}

/** The days of a fee's period, if the month does not imply them, since one bill can have several weeks. */
export function LinePeriod({ line }: { line: BillLine }) {
  const format = useFormat();
  const period = line.share && namedPeriod(line.share, line.unit);
  return period ? (
    <Typography
      variant="caption"
      component="span"
      color="textSecondary"
      className="tabular"
      sx={{ display: 'block' }}
    >
      {format.range(...period)}
    </Typography>
  ) : null;
}

/**
 * Fees count days of their period, or whole months and years as text; meters have their own units. `isWhole`:
 * with all decimals.
 */
export function LineQuantity({ line, isWhole = false }: { line: BillLine; isWhole?: boolean }) {
  const { t } = useTranslation('billing');
  const words = useShareWords();
  // Discounts, credit and minimums are amounts without a quantity.
  if ((line.term && line.kind !== 'one_off') || isUncounted(line)) return <>–</>;
  const isFee = line.kind !== 'usage' && line.kind !== 'adjustment';
  // Tiers and packages of a fee depend on its quantity, and one-time charges have no period.
  if (line.kind === 'one_time' || line.kind === 'one_off' || (isFee && line.charge && !line.share))
    return <Quantity isBrief={!isWhole} value={line.quantity} />;
  if (line.share && line.charge) return <ShareText text={words(line.share, line.unit)} />;
  if (line.share && (line.share.part !== line.share.whole || line.share.units !== '1'))
    return <ShareText text={words(line.share, line.unit)} />;
  const isOne = decimal(line.quantity).abs().eq(one);
  return (
    <Quantity
      isBrief={!isWhole}
      value={line.share ? '1' : line.quantity}
      unit={
        !isFee
          ? line.unit
          : line.unit === 'year'
            ? t(isOne ? 'billing.unit_year' : 'billing.unit_years')
            : t(isOne ? 'billing.unit_month' : 'billing.unit_months')
      }
    />
  );
}

const ShareText = ({ text }: { text: string }) => (
  <Box component="span" className="tabular" sx={{ whiteSpace: 'nowrap' }}>
    {text}
  </Box>
);

/** A part of a fee's period as text: 3 × 18／31 天. */
export function useShareWords(): (share: NonNullable<BillLine['share']>, unit: string) => string {
  const { t } = useTranslation('billing');
  const { t: tRating } = useTranslation('rating');
  const format = useFormat();
  return ({ part, whole, unit: counted, units }, unit) => {
    // used as: 'billing.share_*', 'rating.one_*'
    const period =
      part === whole
        ? tRating(`rating.one_${periodOfUnit(unit)}`)
        : t(`billing.share_${counted}`, { part: format.number(part), whole: format.number(whole) });
    return units === '1' ? period : t('billing.share_units', { units: format.number(units), period });
  };
}

/** The percentage that a discount deducts, or that a commitment's rate charges. */
const percentOf = ({ term }: BillLine): string | undefined =>
  term?.reduction?.kind === 'percent' ? term.reduction.percent : term?.percent;

/** The unit price, or what the price depends on if there is none; the line's explanation has the details. */
export function LinePrice({ line, currency }: { line: BillLine; currency: Billed['currency'] }) {
  const { t } = useTranslation('billing');
  const format = useFormat();
  if (line.unitPrice !== null && line.unit === 'year' && line.share)
    return (
      <Box component="span" className="tabular" sx={{ whiteSpace: 'nowrap' }}>
        {t('billing.price_year', { price: format.unitPrice(line.unitPrice, currency) })}
      </Box>
    );
  if (line.unitPrice !== null) return <UnitPrice price={line.unitPrice} currency={currency} />;
  const percent = percentOf(line);
  if (percent !== undefined) return <>{t('billing.percent', { percent: format.number(percent) })}</>;
  // used as: 'billing.priced_by_*'. The line that fills up to the minimum has none.
  return <>{line.pricedBy === undefined ? '–' : t(`billing.priced_by_${line.pricedBy}`)}</>;
}

function LineTotal({ line }: { line: BillLine }) {
  const { t } = useTranslation('billing');
  const format = useFormat();
  const isRounded = !decimal(line.exact).eq(moneyDecimal(line.total));
  return (
    <>
      <Money amount={line.total} />
      {isRounded && (
        <Typography
          variant="caption"
          component="span"
          color="textSecondary"
          className="tabular"
          sx={{ display: 'block', whiteSpace: 'nowrap' }}
        >
          {t('billing.exact', { amount: format.brief(line.exact) })}
        </Typography>
      )}
    </>
  );
}
