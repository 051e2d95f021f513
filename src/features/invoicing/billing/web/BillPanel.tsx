// One bill beside the list: head, totals, change since the previous month, lines.
import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { isId, type Id } from '#kernel/ids.ts';
import type { ReactNode } from 'react';
import type { BillDetail } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { CopyButton } from '#platform/web/ui/CopyButton.tsx';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { Moment, Money } from '#platform/web/ui/Money.tsx';
import { PanelPart } from '#platform/web/ui/PanelPart.tsx';
import { QueryState } from '#platform/web/ui/QueryState.tsx';
import { SidePanel } from '#platform/web/ui/SidePanel.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useParam } from '#platform/web/routing/use-param.ts';
import { billingQueries } from './api.ts';
import { BillChange } from './BillChange.tsx';
import { BillLines } from './BillLines.tsx';
import { BillStatus } from './BillStatus.tsx';
import { useCreditedFacts } from './credited-facts.tsx';
import { LinePanel } from './LinePanel.tsx';

export type BillPanelProps = {
  readonly billId: string | undefined;
  readonly onClose: () => void;
  /** Actions on a bill and its history, provided by another feature. */
  readonly corrections: ((bill: BillDetail) => ReactNode) | undefined;
};

export function BillPanel({ billId, onClose, corrections }: BillPanelProps) {
  const { t } = useTranslation('billing');
  const known = isId('bil', billId) ? billId : undefined;
  return (
    <SidePanel open={known !== undefined} title={t('billing.bill')} onClose={onClose} width={760}>
      {known !== undefined && <OneBill billId={known} corrections={corrections} />}
    </SidePanel>
  );
}

function OneBill({ billId, corrections }: { billId: Id<'bil'>; corrections: BillPanelProps['corrections'] }) {
  return (
    <QueryState query={useQuery(billingQueries.adminGetBill({ billId }))}>
      {(bill) => <Content bill={bill} corrections={corrections} />}
    </QueryState>
  );
}

function Content({ bill, corrections }: { bill: BillDetail; corrections: BillPanelProps['corrections'] }) {
  const { t } = useTranslation('billing');
  const format = useFormat();
  const { buyer } = bill;
  // The address may still name a line of the previously open bill.
  const [lineOfBill, setLine] = useParam('line');
  const [number, lineId] = lineOfBill?.split('.') ?? [];
  return (
    <Stack sx={{ gap: 3 }}>
      <Box>
        <Stack direction="row" sx={{ gap: 1, alignItems: 'center', flexWrap: 'wrap' }}>
          <Typography variant="h3" component="p">
            {bill.number}
          </Typography>
          <CopyButton text={bill.number} label={t('billing.copy_number')} />
          <BillStatus status={bill.paymentStatus} />
        </Stack>
        <Typography variant="kpi" sx={{ marginTop: 1 }}>
          {format.money(bill.total)}
        </Typography>
        {bill.change && <BillChange change={bill.change} />}
      </Box>
      <Facts
        items={[
          [t('billing.organization'), bill.organization],
          ...(bill.usedBy ? [[t('billing.used_by'), bill.usedBy.organization] as const] : []),
          [t('billing.month'), format.month(bill.month)],
          [t('billing.issued_at'), <Moment key="issued" at={bill.issuedAt} />],
          [t('billing.due_at'), <Moment key="due" at={bill.dueAt} />],
          ...(bill.paidAt ? [[t('billing.paid_at'), <Moment key="paid" at={bill.paidAt} />] as const] : []),
          ...(bill.paid.minor === 0n
            ? []
            : [[t('billing.paid'), <Money key="sum" amount={bill.paid} />] as const]),
          ...useCreditedFacts(bill),
          ...(bill.instalment
            ? [
                [
                  t('billing.instalment'),
                  <>
                    <Money amount={bill.instalment.amount} strong /> · {format.dayTable(bill.instalment.on)}
                  </>,
                ] as const,
              ]
            : []),
          [
            t(bill.instalment ? 'billing.due_in_all' : 'billing.due'),
            <Money key="open" amount={bill.due} strong={bill.instalment === undefined} />,
          ],
          ...(buyer.taxId === '' ? [] : [[t('billing.tax_id'), buyer.taxId] as const]),
          ...(buyer.vatId === undefined ? [] : [[t('billing.vat_id'), buyer.vatId] as const]),
          ...(buyer.address === '' ? [] : [[t('billing.address'), buyer.address] as const]),
          ...(buyer.email === '' ? [] : [[t('billing.email'), buyer.email] as const]),
          ...(buyer.purchaseOrder ? [[t('billing.purchase_order'), buyer.purchaseOrder] as const] : []),
          ...(buyer.reference ? [[t('billing.reference'), buyer.reference] as const] : []),
        ]}
      />
      {corrections?.(bill)}
      <PanelPart title={t('billing.lines')}>
        <BillLines bill={bill} onExplain={(line) => setLine(`${bill.number}.${line.id}`)} />
        <LinePanel
          bill={bill}
          lineId={number === bill.number ? lineId : undefined}
          query={(lineOf) => billingQueries.adminExplainLine({ billId: bill.id, lineId: lineOf })}
          linksUsage={false}
          onClose={() => setLine(undefined)}
        />
      </PanelPart>
    </Stack>
  );
}
