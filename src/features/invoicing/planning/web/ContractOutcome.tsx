// The result of a simulated contract: in a sentence, as a chart, by month, and for its commitments and
// credits.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { decimal, divide } from '#kernel/decimal.ts';
import {
  money,
  moneyText,
  roundToMoney,
  subtractMoney,
  type Money as Amount,
  absolute,
} from '#kernel/money.ts';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { ChartCard } from '#platform/web/chart/ChartCard.tsx';
import { TimeChart } from '#platform/web/chart/TimeChart.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { ErrorState } from '#platform/web/ui/ErrorState.tsx';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { Money } from '#platform/web/ui/Money.tsx';
import { ProgressBar } from '#platform/web/ui/ProgressBar.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import type { ContractToSimulate, SimulatedContract } from '../contract-terms.ts';
import { planningQueries } from './api.ts';
import { ContractCommitments } from './ContractCommitments.tsx';
import { ContractCredits } from './ContractCredits.tsx';
import { ContractMonths } from './ContractMonths.tsx';

export type ContractOutcomeProps = {
  readonly input: ContractToSimulate;
  /** The customer's name. */
  readonly organization: string;
  /** Whether the form has changed since then. */
  readonly isOld: boolean;
};

export function ContractOutcome({ input, organization, isOld }: ContractOutcomeProps) {
  const { t } = useTranslation('planning');
  const query = usePagedQuery({
    ...planningQueries.simulateContract(input),
    // The simulation takes long, so it only runs when requested with the button, and is kept only while it is
    // shown.
    staleTime: Infinity,
    gcTime: 0,
  });
  const { data, error, isFetching, isPlaceholderData, refetch } = query;
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <Stack sx={{ gap: { xs: 2, sm: 3 }, minWidth: 0 }}>
      {isFetching && <ProgressBar label={t('planning.rehearsing')} ratio={undefined} />}
      {isOld && !isFetching && <Alert severity="info">{t('planning.contract_old')}</Alert>}
      {data && (
        <Stack sx={{ gap: { xs: 2, sm: 3 }, minWidth: 0, opacity: isOld || isPlaceholderData ? 0.6 : 1 }}>
          {data.months.length === 0 ? (
            <Section>
              <EmptyState
                title={t('planning.contract_none', { organization })}
                hint={t('planning.contract_none_hint')}
              />
            </Section>
          ) : (
            <Result input={input} organization={organization} contract={data} />
          )}
        </Stack>
      )}
    </Stack>
  );
}

type ResultProps = {
  readonly input: ContractToSimulate;
  readonly organization: string;
  readonly contract: SimulatedContract;
};

function Result({ input, organization, contract }: ResultProps) {
  return (
    <>
      <Verdict input={input} organization={organization} contract={contract} />
      <Months contract={contract} />
      <ContractMonths contract={contract} />
      {contract.commitments.length > 0 && <ContractCommitments contract={contract} input={input} />}
      {contract.credits.length > 0 && <ContractCredits contract={contract} input={input} />}
    </>
  );
}

const size = ({ minor, currency }: Amount): Amount => money(absolute(minor), currency);
const directionOf = ({ minor }: Amount): 'less' | 'more' | 'same' =>
  minor < 0n ? 'less' : minor > 0n ? 'more' : 'same';

/** What it saves the customer and costs the platform, and the underlying figures. */
function Verdict({ input, organization, contract: { months, sums } }: ResultProps) {
  const { t } = useTranslation('planning');
  const format = useFormat();
  const { billed, simulated, difference, onlyBilled, withoutTerms } = sums;
  const revenue = billed && subtractMoney(simulated.net, billed.net);
  const share =
    billed && billed.total.minor > 0n
      ? format.aside(format.percentChange(ratioOf(difference.minor, billed.total.minor)))
      : '';
  const growth = Number(input.terms.growthPercent ?? '0');
  const named = { organization, count: months.length, amount: format.money(size(difference)), share };
  // used as: 'planning.contract_customer_*', 'planning.contract_revenue_*'
  return (
    <Section title={t('planning.contract_result')}>
      <Stack sx={{ gap: 2 }}>
        <Box role="status">
          <Typography variant="h3" component="p" sx={{ textWrap: 'balance' }}>
            {billed
              ? t(`planning.contract_customer_${directionOf(difference)}`, named)
              : t('planning.contract_customer_unbilled', {
                  ...named,
                  amount: format.money(simulated.total),
                })}
          </Typography>
          {revenue && (
            <Typography color="textSecondary" sx={{ marginTop: '4px' }}>
              {t(`planning.contract_revenue_${directionOf(revenue)}`, {
                amount: format.money(size(revenue)),
              })}
            </Typography>
          )}
        </Box>
        <Facts
          items={[
            [t('planning.contract_billed'), billed ? <Money key="b" amount={billed.total} /> : '–'],
            [t('planning.contract_simulated'), <Money key="s" amount={simulated.total} strong />],
            [t('planning.contract_without'), <Money key="w" amount={withoutTerms.total} />],
            [
              t('planning.contract_effect'),
              <Box key="e" component="span" className="tabular">
                {format.moneyChange(subtractMoney(simulated.total, withoutTerms.total))}
              </Box>,
            ],
            ...(simulated.prepaid.minor === 0n
              ? []
              : ([
                  [t('planning.contract_prepaid'), <Money key="p" amount={simulated.prepaid} />],
                  [
                    t('planning.contract_still_due'),
                    <Money key="d" amount={subtractMoney(simulated.total, simulated.prepaid)} />,
                  ],
                ] as const)),
          ]}
        />
        {months.length < input.months && (
          <Alert severity="info">
            {t('planning.contract_fewer', { count: months.length, asked: input.months })}
          </Alert>
        )}
        {growth !== 0 && (
          <Alert severity="info">
            {t('planning.contract_grown', { percent: format.percentChange(growth / 100) })}
          </Alert>
        )}
        {onlyBilled.minor !== 0n && (
          <Alert severity="warning">
            {t('planning.contract_only_billed', { amount: format.money(onlyBilled) })}
          </Alert>
        )}
      </Stack>
    </Section>
  );
}

const ratioOf = (part: bigint, whole: bigint): number =>
  Number(divide(decimal(part), decimal(whole), 4).toFixed());

/** The billed amount is behind, the simulated one in front of it. */
function Months({ contract: { months } }: Pick<ResultProps, 'contract'>) {
  const { t } = useTranslation('planning');
  const format = useFormat();
  const currency = months[0]?.simulated.total.currency ?? 'TWD';
  const texts = (pick: (month: SimulatedContract['months'][number]) => Amount | undefined): string[] =>
    months.map((month) => {
      const amount = pick(month);
      return amount ? format.money(amount) : t('planning.contract_no_bill');
    });
  const billed = texts((month) => month.billed?.total);
  const simulated = texts((month) => month.simulated.total);
  return (
    <ChartCard
      title={t('planning.contract_chart')}
      lead={t('planning.contract_with_tax')}
      table={{
        heads: [t('planning.month'), t('planning.contract_billed'), t('planning.contract_simulated')],
        rows: months.map(({ month }, index) => [
          format.month(month),
          billed[index] ?? '',
          simulated[index] ?? '',
        ]),
      }}
    >
      <TimeChart
        label={t('planning.contract_chart')}
        places={months.map(({ month }) => format.monthShort(month))}
        placeNames={months.map(({ month }) => format.month(month))}
        series={[
          {
            key: 'billed',
            label: t('planning.contract_billed'),
            as: 'outline',
            values: months.map((month) => (month.billed ? Number(moneyText(month.billed.total)) : null)),
            texts: billed,
          },
          {
            key: 'simulated',
            label: t('planning.contract_simulated'),
            colour: 'brand',
            values: months.map((month) => Number(moneyText(month.simulated.total))),
            texts: simulated,
          },
        ]}
        formatTick={(value) => format.moneyShort(roundToMoney(decimal(value.toFixed(3)), currency)).text}
      />
    </ChartCard>
  );
}
