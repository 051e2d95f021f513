// A statement: opening balance, every entry with the balance after it, totals, and closing balance.
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import type { Money as Amount } from '#kernel/money.ts';
import type { StatementLine } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Moment, Money } from '#platform/web/ui/Money.tsx';
import { ReferenceLink, type Reader } from './ReferenceLink.tsx';

/** A column of amounts: the side of an entry that it shows, and the total of the range. */
export type AmountColumn = { readonly key: 'debit' | 'credit'; readonly label: string; readonly sum: Amount };
type StatementTableProps = {
  readonly label: string;
  readonly statement: {
    readonly opening: Amount;
    readonly closing: Amount;
    readonly items: readonly StatementLine[];
  };
  readonly reader: Reader;
  /** The side that increases the balance comes first. */
  readonly sides: readonly [AmountColumn, AmountColumn];
  readonly after: string;
  /** Whether the last line of the range is shown; the closing balance is shown only then. */
  readonly isWhole: boolean;
};

const edges = {
  '& th, & td': { paddingInline: { xs: '4px', sm: '16px' }, fontSize: { xs: '0.8125rem', sm: '0.875rem' } },
  '& tr > :last-child': { paddingInlineEnd: { xs: '12px', sm: '24px' } },
  '& .first': { paddingInlineStart: { sm: '24px' } },
  '& .what': { paddingInlineStart: { xs: '12px', sm: '16px' } },
} as const;
// On phones, the day is below the description, because the balances need the width.
const wide = { display: { xs: 'none', sm: 'table-cell' } } as const;
const narrow = { display: { sm: 'none' } } as const;
const strong = { '& > *': { fontWeight: '700 !important', color: 'text.primary' } } as const;

export function StatementTable({
  label,
  statement: { opening, closing, items },
  reader,
  sides,
  after,
  isWhole,
}: StatementTableProps) {
  const { t } = useTranslation('books');
  return (
    <TableContainer tabIndex={0} role="region" aria-label={label} sx={edges}>
      <Table size="small" aria-label={label}>
        <TableHead>
          <TableRow>
            <TableCell className="first" sx={wide}>
              {t('books.date')}
            </TableCell>
            <TableCell className="what">{t('books.reference')}</TableCell>
            {sides.map((side) => (
              <TableCell key={side.key} align="right">
                {side.label}
              </TableCell>
            ))}
            <TableCell align="right">{after}</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          <TableRow sx={strong}>
            <TableCell sx={wide} />
            <TableCell className="what" component="th" scope="row" colSpan={3}>
              {t('books.opening')}
            </TableCell>
            <TableCell align="right">
              <Money amount={opening} />
            </TableCell>
          </TableRow>
          {items.map((line) => (
            <TableRow key={`${line.transactionId}.${line.position}`}>
              <TableCell className="first" sx={{ ...wide, whiteSpace: 'nowrap' }}>
                <Moment at={line.at} />
              </TableCell>
              <TableCell className="what">
                <ReferenceLink kind={line.kind} reference={line.reference} reader={reader} />
                <Typography variant="caption" component="div" color="textSecondary" sx={narrow}>
                  <Moment at={line.at} />
                </Typography>
              </TableCell>
              {sides.map(({ key }) => (
                <TableCell key={key} align="right">
                  {line[key] && <Money amount={line[key]} />}
                </TableCell>
              ))}
              <TableCell align="right">
                <Money amount={line.after} />
              </TableCell>
            </TableRow>
          ))}
          {items.length === 0 && (
            <TableRow>
              <TableCell className="first" colSpan={5}>
                <Typography variant="body2" color="textSecondary">
                  {t('books.no_entries')}
                </Typography>
              </TableCell>
            </TableRow>
          )}
        </TableBody>
        {isWhole && (
          <TableBody sx={{ '& tr > *': { borderTop: '1px solid', borderTopColor: 'text.secondary' } }}>
            <TableRow sx={strong}>
              <TableCell sx={wide} />
              <TableCell className="what" component="th" scope="row">
                {t('books.closing')}
              </TableCell>
              {sides.map(({ key, sum }) => (
                <TableCell key={key} align="right">
                  <Money amount={sum} />
                </TableCell>
              ))}
              <TableCell align="right">
                <Money amount={closing} strong />
              </TableCell>
            </TableRow>
          </TableBody>
        )}
      </Table>
    </TableContainer>
  );
}
