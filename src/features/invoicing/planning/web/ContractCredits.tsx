// The result of each proposed credit: granted, used, left, expired.
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Money } from '#platform/web/ui/Money.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { edges } from './ContractMonths.tsx';
import type { ContractToSimulate, ProposedCredit, SimulatedContract } from '../contract-terms.ts';

export function ContractCredits({
  contract: { credits },
  input: { terms },
}: {
  contract: SimulatedContract;
  input: ContractToSimulate;
}) {
  const { t } = useTranslation('planning');
  const format = useFormat();
  const heads = ['given', 'used', 'left', 'expired'] as const;
  const nameOf = (credit: ProposedCredit | undefined, index: number): string =>
    credit
      ? t('planning.contract_credit_named', {
          number: index + 1,
          kind: t(`planning.contract_kind_${credit.kind}`),
          recurring: t(`planning.contract_recurring_${recurrenceOf(credit)}`),
          amount: format.money(credit.amount),
        })
      : t('planning.contract_credit_number', { number: index + 1 });
  // used as: 'planning.contract_credit_given', 'planning.contract_credit_used', 'planning.contract_credit_left', 'planning.contract_credit_expired'
  return (
    <Section title={t('planning.contract_credit_course')} flush>
      <TableContainer tabIndex={0} role="region" aria-label={t('planning.contract_credit_course')} sx={edges}>
        <Table size="small" aria-label={t('planning.contract_credit_course')}>
          <TableHead>
            <TableRow>
              <TableCell>{t('planning.contract_credits')}</TableCell>
              {heads.map((head) => (
                <TableCell key={head} align="right" sx={{ whiteSpace: 'nowrap' }}>
                  {t(`planning.contract_credit_${head}`)}
                </TableCell>
              ))}
            </TableRow>
          </TableHead>
          <TableBody>
            {credits.map((course) => (
              <TableRow key={course.index} sx={{ '&:last-child > *': { borderBottom: 0 } }}>
                <TableCell component="th" scope="row" sx={{ minWidth: 160 }}>
                  {nameOf(terms.credits[course.index], course.index)}
                </TableCell>
                {heads.map((head) => (
                  <TableCell key={head} align="right">
                    <Money amount={course[head]} />
                  </TableCell>
                ))}
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </TableContainer>
    </Section>
  );
}

const recurrenceOf = ({ monthly, rollover = false }: ProposedCredit): 'once' | 'monthly' | 'rollover' =>
  monthly ? (rollover ? 'rollover' : 'monthly') : 'once';
