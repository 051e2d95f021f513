// A simulated contract by month, with its sums; kinds of terms without effect have no column.
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableFooter from '@mui/material/TableFooter';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import { money, type Money as Amount } from '#kernel/money.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Section } from '#platform/web/ui/Section.tsx';
import type { SimulatedContract } from '../contract-terms.ts';

type Figures = SimulatedContract['sums'];
type Column = {
  readonly key: string;
  readonly label: string;
  readonly of: (figures: Figures) => Amount | null;
  /** Shown with a sign. */
  readonly isChange?: boolean;
  readonly isStrong?: boolean;
  readonly isOptional?: boolean;
};

/** The first and last column align with the card's title. */
export const edges = {
  // Up to twelve columns of figures.
  '& .MuiTableCell-root': { paddingInline: '8px' },
  '& tr > .MuiTableCell-root:first-of-type': { paddingInlineStart: { xs: '16px', sm: '24px' } },
  '& tr > .MuiTableCell-root:last-of-type': { paddingInlineEnd: { xs: '16px', sm: '24px' } },
} as const;

const negated = ({ minor, currency }: Amount): Amount => money(-minor, currency);

export function ContractMonths({ contract: { months, sums } }: { contract: SimulatedContract }) {
  const { t } = useTranslation('planning');
  const format = useFormat();
  const all: Column[] = [
    { key: 'billed', label: t('planning.contract_billed'), of: (one) => one.billed?.total ?? null },
    {
      key: 'total',
      label: t('planning.contract_simulated'),
      of: (one) => one.simulated.total,
      isStrong: true,
    },
    {
      key: 'difference',
      label: t('planning.difference'),
      of: (one) => one.difference,
      isChange: true,
      isStrong: true,
    },
    { key: 'without', label: t('planning.contract_net_without'), of: (one) => one.withoutTerms.net },
    {
      key: 'discount',
      label: t('planning.contract_discounts'),
      of: (one) => negated(one.simulated.discount),
      isChange: true,
      isOptional: true,
    },
    {
      key: 'commitment',
      label: t('planning.contract_commitments'),
      of: (one) => one.simulated.commitment,
      isChange: true,
      isOptional: true,
    },
    {
      key: 'minimum',
      label: t('planning.contract_minimum'),
      of: (one) => one.simulated.minimum,
      isChange: true,
      isOptional: true,
    },
    {
      key: 'promotional',
      label: t('planning.contract_promotional'),
      of: (one) => negated(one.simulated.promotional),
      isChange: true,
      isOptional: true,
    },
    { key: 'net', label: t('planning.contract_net'), of: (one) => one.simulated.net },
    { key: 'tax', label: t('planning.contract_tax'), of: (one) => one.simulated.tax },
    {
      key: 'prepaid',
      label: t('planning.contract_prepaid'),
      of: (one) => one.simulated.prepaid,
      isOptional: true,
    },
  ];
  // A kind of terms without effect in any month is left out. The monthly changes may cancel out in the sum.
  const columns = all.filter(
    ({ isOptional = false, of }) => !isOptional || [sums, ...months].some((one) => of(one)?.minor !== 0n),
  );
  const cells = (figures: Figures) =>
    columns.map(({ key, of, isChange = false, isStrong = false }) => {
      const amount = of(figures);
      return (
        <TableCell
          key={key}
          align="right"
          className="tabular"
          sx={{ whiteSpace: 'nowrap', fontWeight: isStrong ? 700 : undefined }}
        >
          {amount === null ? '–' : isChange ? format.moneyChange(amount) : format.money(amount)}
        </TableCell>
      );
    });
  return (
    <Section title={t('planning.contract_by_month')} flush>
      <TableContainer tabIndex={0} role="region" aria-label={t('planning.contract_by_month')} sx={edges}>
        <Table size="small" aria-label={t('planning.contract_by_month')}>
          <TableHead>
            <TableRow>
              <TableCell>{t('planning.month')}</TableCell>
              {columns.map(({ key, label }) => (
                <TableCell key={key} align="right">
                  {label}
                </TableCell>
              ))}
            </TableRow>
          </TableHead>
          <TableBody>
            {months.map(({ month, ...figures }) => (
              <TableRow key={month}>
                <TableCell component="th" scope="row" sx={{ whiteSpace: 'nowrap' }}>
                  {format.month(month)}
                </TableCell>
                {cells(figures)}
              </TableRow>
            ))}
          </TableBody>
          <TableFooter>
            <TableRow
              sx={{
                '& > .MuiTableCell-root': {
                  fontWeight: 700,
                  color: 'text.primary',
                  fontSize: '0.875rem',
                  borderBottom: 0,
                },
              }}
            >
              <TableCell component="th" scope="row">
                {t('planning.contract_sum')}
              </TableCell>
              {cells(sums)}
            </TableRow>
          </TableFooter>
        </Table>
      </TableContainer>
    </Section>
  );
}
