// The result of each period of the proposed commitments: used, charged at its end, or still open.
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Money } from '#platform/web/ui/Money.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import type { ContractToSimulate, SimulatedContract } from '../contract-terms.ts';
import { edges } from './ContractMonths.tsx';

type Period = SimulatedContract['commitments'][number]['periods'][number];
const lastCell = '& tr > .MuiTableCell-root:last-of-type';
const cells = {
  ...edges,
  // Rows have two lines, and the state text keeps a distance from the figures.
  '& tbody .MuiTableCell-root': { paddingBlock: '8px' },
  [lastCell]: { ...edges[lastCell], paddingInlineStart: '24px' },
};
const figures = ['amount', 'used', 'trueUp'] as const;

export function ContractCommitments({
  contract: { commitments },
  input: { terms },
}: {
  contract: SimulatedContract;
  input: ContractToSimulate;
}) {
  const { t } = useTranslation('planning');
  const title = t('planning.contract_commitment_course');
  // used as: 'planning.contract_commitment_amount', 'planning.contract_commitment_used', 'planning.contract_commitment_trueUp', 'planning.contract_period_*'
  return (
    <Section title={title} flush>
      <TableContainer tabIndex={0} role="region" aria-label={title} sx={cells}>
        <Table size="small" aria-label={title}>
          <TableHead>
            <TableRow>
              <TableCell>{t('planning.contract_commitments')}</TableCell>
              {figures.map((figure) => (
                <TableCell key={figure} align="right" sx={{ whiteSpace: 'nowrap' }}>
                  {t(`planning.contract_commitment_${figure}`)}
                </TableCell>
              ))}
              <TableCell>{t('planning.contract_commitment_state')}</TableCell>
            </TableRow>
          </TableHead>
          <TableBody>
            {commitments.flatMap(({ index, periods }) => {
              const proposed = terms.commitments?.[index];
              const name = t('planning.contract_commitment_named', {
                number: index + 1,
                period: proposed ? t(`planning.contract_period_${proposed.period}`) : '',
              });
              return periods.map((period) => (
                <PeriodRow key={`${index} ${period.firstMonth}`} name={name} period={period} />
              ));
            })}
          </TableBody>
        </Table>
      </TableContainer>
    </Section>
  );
}

function PeriodRow({ name, period }: { name: string; period: Period }) {
  const { t } = useTranslation('planning');
  const format = useFormat();
  // used as: 'planning.contract_commitment_settled', 'planning.contract_commitment_open'
  const { firstMonth, lastMonth, isSettled, missing } = period;
  return (
    <TableRow sx={{ '&:last-child > *': { borderBottom: 0 } }}>
      <TableCell component="th" scope="row" sx={{ minWidth: 176 }}>
        {firstMonth === lastMonth
          ? format.month(firstMonth)
          : t('planning.contract_commitment_months', {
              from: format.month(firstMonth),
              to: format.month(lastMonth),
            })}
        <Typography variant="caption" component="span" color="textSecondary" sx={{ display: 'block' }}>
          {name}
        </Typography>
      </TableCell>
      {figures.map((figure) => (
        <TableCell key={figure} align="right">
          <Money amount={period[figure]} />
        </TableCell>
      ))}
      <TableCell sx={{ minWidth: 176 }}>
        <StatusBadge
          tone={isSettled ? 'success' : 'neutral'}
          label={t(`planning.contract_commitment_${isSettled ? 'settled' : 'open'}`)}
          icon={null}
        />
        {!isSettled && (
          <Typography variant="caption" component="span" color="textSecondary" sx={{ display: 'block' }}>
            {missing.minor === 0n
              ? t('planning.contract_commitment_reached')
              : t('planning.contract_commitment_missing', { amount: format.money(missing) })}
          </Typography>
        )}
      </TableCell>
    </TableRow>
  );
}
