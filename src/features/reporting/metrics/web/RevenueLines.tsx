// The bill and credit note lines behind a customer's revenue in a month, in a panel.
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { isId, type Id } from '#kernel/ids.ts';
import type { Currency } from '#kernel/money.ts';
import { isMonth, type BillingMonth } from '#kernel/shape.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useAddressParams } from '#platform/web/routing/address-params.ts';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { SidePanel } from '#platform/web/ui/SidePanel.tsx';
import { metricsQueries } from './api.ts';
import { BillLines } from './BillLines.tsx';
import { useLinesTitle } from './use-lines-title.ts';
import { linesParams } from './use-open-lines.ts';

export function RevenueLines({ currency }: { currency: Currency }) {
  const [params, setParams] = useAddressParams();
  const [customer, month] = linesParams.map((name) => params.get(name) ?? undefined);
  const close = () =>
    setParams(
      (now) => {
        const next = new URLSearchParams(now);
        for (const name of linesParams) next.delete(name);
        return next;
      },
      { preventScrollReset: true },
    );
  if (!isId('org', customer) || !isMonth(month)) return null;
  return <Panel of={{ currency, organizationId: customer, month }} onClose={close} />;
}

type Of = { readonly currency: Currency; readonly organizationId: Id<'org'>; readonly month: BillingMonth };

function Panel({ of, onClose }: { readonly of: Of; readonly onClose: () => void }) {
  const { t } = useTranslation('metrics');
  const title = useLinesTitle(of.organizationId, useFormat().month(of.month));
  return (
    <SidePanel open title={title} onClose={onClose} width={720}>
      <Typography variant="body2" color="textSecondary" sx={{ marginBottom: 2 }}>
        {t('metrics.lines_lead')}
      </Typography>
      <OfMonth {...of} />
    </SidePanel>
  );
}

function OfMonth(of: Of) {
  const { t } = useTranslation('metrics');
  const query = useQuery(metricsQueries.lines(of));
  // used as: 'metrics.part_*'
  return (
    <QueryState query={query} skeleton={<Lines count={4} />}>
      {({ items }) => (
        <BillLines
          label={t('metrics.lines_lead')}
          lines={items}
          currency={of.currency}
          about={{ head: t('metrics.part'), of: ({ part }) => t(`metrics.part_${part}`) }}
        />
      )}
    </QueryState>
  );
}
