// The details of a customer's margin, in a panel: lines of bills and credit notes, and cost by cloud service.
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { decimal, decimalText, sumDecimals } from '#kernel/decimal.ts';
import type { In, Out } from '#kernel/contract.ts';
import { isId } from '#kernel/ids.ts';
import type { Currency } from '#kernel/money.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useParam } from '#platform/web/routing/use-param.ts';
import { Money } from '#platform/web/ui/Money.tsx';
import { PlainTable } from '#platform/web/ui/PlainTable.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { SidePanel } from '#platform/web/ui/SidePanel.tsx';
import type { metrics } from '../contract.ts';
import { metricsQueries } from './api.ts';
import { BillLines } from './BillLines.tsx';
import { costMoney } from './metric-words.ts';
import { useLinesTitle } from './use-lines-title.ts';

type Asked = Omit<In<typeof metrics.marginLines>, 'organizationId'>;
type Found = Out<typeof metrics.marginLines>;

export function MarginLines({ of }: { of: Asked }) {
  const [customer, setCustomer] = useParam('margin-of');
  return isId('org', customer) ? (
    <Panel of={{ ...of, organizationId: customer }} onClose={() => setCustomer(undefined)} />
  ) : null;
}

function Panel({ of, onClose }: { of: In<typeof metrics.marginLines>; onClose: () => void }) {
  const { t } = useTranslation('metrics');
  const format = useFormat();
  const title = useLinesTitle(
    of.organizationId,
    // used as: 'metrics.margin_span_*'
    of.span === 'year' ? t('metrics.margin_span_year') : format.month(of.month),
  );
  return (
    <SidePanel open title={title} onClose={onClose} width={760}>
      <Sides of={of} />
    </SidePanel>
  );
}

function Sides({ of }: { of: In<typeof metrics.marginLines> }) {
  const query = useQuery(metricsQueries.marginLines(of));
  return (
    <QueryState query={query} skeleton={<Lines count={6} />}>
      {({ lines, costs }) => (
        <Stack sx={{ gap: 3 }}>
          <Revenue lines={lines} currency={of.currency} />
          <Costs costs={costs} currency={of.currency} />
        </Stack>
      )}
    </QueryState>
  );
}

function Revenue({ lines, currency }: { lines: Found['lines']; currency: Currency }) {
  const { t } = useTranslation('metrics');
  return (
    <Stack sx={{ gap: 1 }}>
      <Typography variant="h3" component="h3">
        {t('metrics.margin_lines')}
      </Typography>
      <BillLines
        label={t('metrics.margin_lines')}
        lines={lines}
        currency={currency}
        about={{
          head: t('metrics.is_cost_known'),
          of: ({ isCostKnown }) => t(isCostKnown ? 'metrics.cost_is_known' : 'metrics.cost_unknown'),
        }}
      />
    </Stack>
  );
}

function Costs({ costs, currency }: { costs: Found['costs']; currency: Currency }) {
  const { t } = useTranslation('metrics');
  const format = useFormat();
  const known = costs.flatMap(({ cost }) => (cost === null ? [] : [decimal(cost)]));
  return (
    <Stack sx={{ gap: 1 }}>
      <Typography variant="h3" component="h3">
        {t('metrics.margin_costs')}
      </Typography>
      {costs.length === 0 ? (
        <Typography variant="body2" color="textSecondary">
          {t('metrics.margin_costs_none')}
        </Typography>
      ) : (
        <PlainTable
          label={t('metrics.margin_costs')}
          words={2}
          heads={[t('metrics.month'), t('metrics.service'), t('metrics.margin_cost')]}
          rows={costs.map((one) => ({
            key: `${one.month} ${one.service}`,
            cells: [
              format.month(one.month),
              <span key="service" style={{ whiteSpace: 'normal' }}>
                {one.service}
              </span>,
              <Stack key="cost" sx={{ alignItems: 'flex-end' }}>
                {one.cost !== null && <Money amount={costMoney(one.cost, currency)} />}
                {one.lacking.map((lacking) => (
                  <Typography key={lacking.currency} variant="caption" color="textSecondary">
                    {`${format.number(lacking.amount)} ${lacking.currency} · ${t('metrics.no_rate')}`}
                  </Typography>
                ))}
              </Stack>,
            ],
          }))}
          total={{
            key: 'total',
            cells: [
              t('metrics.total'),
              '',
              known.length === 0 ? (
                t('metrics.cost_unknown')
              ) : (
                <Money key="cost" amount={costMoney(decimalText(sumDecimals(known)), currency)} strong />
              ),
            ],
          }}
        />
      )}
    </Stack>
  );
}
