// The bank's movement beside the ledger's: whether they agree, or what explains the difference and how much
// is unexplained.
import Stack from '@mui/material/Stack';
import { type UseQueryResult } from '@tanstack/react-query';
import type { BankLine, BankOverview } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { Money } from '#platform/web/ui/Money.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';

export function Reconciliation({ query }: { query: UseQueryResult<BankOverview> }) {
  const { t } = useTranslation('banking');
  return (
    <Section title={t('banking.recon')} lead={t('banking.recon_lead')}>
      <QueryState query={query} skeleton={<Lines count={6} />}>
        {({ lines }) =>
          lines.length === 0 ? (
            t('banking.statements_none')
          ) : (
            <Stack sx={{ gap: 3 }}>
              {lines.map((line) => (
                <Line key={line.currency} line={line} />
              ))}
            </Stack>
          )
        }
      </QueryState>
    </Section>
  );
}

function Line({ line }: { line: BankLine }) {
  const { t } = useTranslation('banking');
  const format = useFormat();
  const rows = [
    ['banking.recon_statement', line.statement],
    ['banking.recon_booked', line.booked],
    ['banking.recon_open', line.open],
    ['banking.recon_ignored', line.ignored],
    ['banking.recon_by_hand', line.notOnStatement],
    ['banking.recon_refunds', line.refundsNotOnStatement],
  ] as const;
  return (
    <Facts
      items={[
        ...rows.map(([key, amount]) => [t(key), <Money key={key} amount={amount} />] as const),
        [
          t('banking.difference'),
          line.difference.minor === 0n ? (
            <StatusBadge key="agrees" tone="success" label={t('banking.agrees')} />
          ) : (
            <Money key="difference" amount={line.difference} strong />
          ),
        ],
        ...line.closings.map(
          (each) =>
            [
              t('banking.recon_closing', { account: each.account, day: format.dayTable(each.day) }),
              <Money key={each.account} amount={each.balance} />,
            ] as const,
        ),
      ]}
    />
  );
}
