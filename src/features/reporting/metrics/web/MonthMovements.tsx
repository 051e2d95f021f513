// A month's movements from opening to closing; a movement opens the customers behind it.
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { money, type Currency } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useParam } from '#platform/web/routing/use-param.ts';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { Money } from '#platform/web/ui/Money.tsx';
import { NoWrap } from '#platform/web/ui/NoWrap.tsx';
import { OpenRow } from '#platform/web/ui/OpenRow.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { useTableState } from '#platform/web/ui/table-state.ts';
import { movementKinds, type CustomerMovement, type MetricMonth } from '../contract.ts';
import { metricsQueries } from './api.ts';
import { monthBefore } from './metric-words.ts';
import { MonthBox } from './MonthChoice.tsx';
import { PlainTable } from '#platform/web/ui/PlainTable.tsx';
import { ProofText } from '#platform/web/ui/ProofText.tsx';
import { ReportFiles } from './ReportFiles.tsx';
import { useOpenLines } from './use-open-lines.ts';

export function MonthMovements({
  month: shown,
  months,
  isConsolidated,
}: {
  month: MetricMonth;
  months: readonly MetricMonth[];
  /** Whether it covers all currencies: customers are listed per currency, so there are none to open here. */
  isConsolidated: boolean;
}) {
  const { t } = useTranslation('metrics');
  const format = useFormat();
  const [, setKind] = useParam('moved-kind');
  const { month, opening, movements, recurring } = shown;
  const { currency } = recurring;
  const name = format.month(month);
  const sum = movements.reduce((all, { amount }) => all + amount.minor, opening.minor + shown.exchange.minor);
  const isRight = sum === recurring.minor;
  const figures = { sum: format.money(money(sum, currency)), month: name, closing: format.money(recurring) };
  // used as: 'metrics.kind_*', 'metrics.about_*'
  return (
    <>
      <Section
        title={t('metrics.movements_of', { month: name })}
        lead={t(isConsolidated ? 'metrics.movements_of_all_lead' : 'metrics.movements_of_lead')}
        actions={<MonthBox months={months} month={month} />}
        flush
      >
        <PlainTable
          label={t('metrics.movements_of', { month: name })}
          heads={[t('metrics.movement'), t('metrics.customers'), t('metrics.amount')]}
          rows={[
            {
              key: 'opening',
              cells: [
                <Box key="name" sx={{ whiteSpace: 'normal', paddingBlock: '6px' }}>
                  <NoWrap text={t('metrics.opening', { month: format.month(monthBefore(month)) })} />
                </Box>,
                '',
                <Money key="amount" amount={opening} />,
              ],
            },
            ...movements.map(({ kind, customers, amount }) => ({
              key: kind,
              cells: [
                <Box key="name" sx={{ whiteSpace: 'normal', paddingBlock: '6px' }}>
                  {isConsolidated ? (
                    t(`metrics.kind_${kind}`)
                  ) : (
                    <OpenRow isPanel={false} onOpen={() => setKind(kind, { replace: true })}>
                      {t(`metrics.kind_${kind}`)}
                    </OpenRow>
                  )}
                  <Typography variant="caption" color="textSecondary" component="div">
                    {t(`metrics.about_${kind}`)}
                  </Typography>
                </Box>,
                format.number(customers),
                format.moneyChange(amount),
              ],
            })),
            ...(isConsolidated
              ? [
                  {
                    key: 'exchange',
                    cells: [
                      <Box key="name" sx={{ whiteSpace: 'normal', paddingBlock: '6px' }}>
                        {t('metrics.kind_exchange')}
                        <Typography variant="caption" color="textSecondary" component="div">
                          {t('metrics.about_exchange')}
                        </Typography>
                      </Box>,
                      '',
                      format.moneyChange(shown.exchange),
                    ],
                  },
                ]
              : []),
          ]}
          total={{
            key: 'closing',
            cells: [
              <Box key="name" sx={{ whiteSpace: 'normal', paddingBlock: '6px' }}>
                <NoWrap text={t('metrics.closing', { month: name })} />
              </Box>,
              format.number(shown.customers),
              <Money key="amount" amount={recurring} strong />,
            ],
          }}
        />
        <ProofText isRight={isRight}>
          {t(isRight ? 'metrics.sum_right' : 'metrics.sum_wrong', figures)}
        </ProofText>
      </Section>
      {!isConsolidated && <MovedCustomers currency={currency} month={month} />}
    </>
  );
}

/** The customers behind a month's movements. */
function MovedCustomers({ currency, month }: { currency: Currency; month: BillingMonth }) {
  const { t } = useTranslation('metrics');
  const format = useFormat();
  const openLines = useOpenLines();
  const state = useTableState({ prefix: 'moved-', filters: { kind: movementKinds }, sort: '-change' });
  const query = usePagedQuery(metricsQueries.movements({ currency, month, ...state.query }));
  const open = (one: CustomerMovement) => openLines(one.organizationId, month);
  const columns: readonly Column<CustomerMovement>[] = [
    {
      key: 'organization',
      label: t('metrics.organization'),
      sortable: true,
      card: 'title',
      render: (one) => one.organization,
    },
    {
      key: 'kind',
      label: t('metrics.movement'),
      render: (one) => t(`metrics.kind_${one.kind}`),
    },
    {
      key: 'before',
      label: t('metrics.before'),
      align: 'right',
      render: (one) => <Money amount={one.before} />,
    },
    {
      key: 'now',
      label: t('metrics.now'),
      align: 'right',
      sortable: true,
      render: (one) => <Money amount={one.now} />,
    },
    {
      key: 'change',
      label: t('metrics.change'),
      align: 'right',
      sortable: true,
      render: (one) => <span className="tabular">{format.moneyChange(one.change)}</span>,
    },
  ];
  return (
    <DataTable
      list="finance-movements"
      label={t('metrics.movements')}
      columns={columns}
      query={query}
      state={state}
      rowKey={(one) => one.organizationId}
      rowName={(one) => one.organization}
      onRowClick={open}
      searchLabel={t('metrics.search')}
      filters={{
        kind: {
          label: t('metrics.movement'),
          options: movementKinds.map((kind) => ({ value: kind, label: t(`metrics.kind_${kind}`) })),
        },
      }}
      toolbar={<ReportFiles report="movements" currency={currency} month={month} />}
      empty={<EmptyState compact title={t('metrics.no_customers')} hint={t('metrics.no_customers_hint')} />}
    />
  );
}
