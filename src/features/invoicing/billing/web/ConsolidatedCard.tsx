// A consolidated bill: the amount to pay in one sum, and the bills it consists of, each of which can be
// opened below.
import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { Id } from '#kernel/ids.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { CopyButton } from '#platform/web/ui/CopyButton.tsx';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { Moment, Money } from '#platform/web/ui/Money.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import type { ConsolidatedBill } from '../contract-consolidated.ts';
import { billingApi, billingQueries } from './api.ts';
import { BesideBalance } from './BesideBalance.tsx';
import { BillFiles } from './BillFiles.tsx';
import { BillStatus } from './BillStatus.tsx';
import { ConsolidatedSections, useConsolidatedName } from './ConsolidatedSections.tsx';
import { TotalAmount } from './TotalAmount.tsx';

export type ConsolidatedCardProps = {
  readonly bill: ConsolidatedBill;
  readonly pay: ((bill: ConsolidatedBill) => ReactNode) | undefined;
  /** One of its bills, with lines. */
  readonly section: (billId: Id<'bil'>) => ReactNode;
  /** Shown beside the bill. */
  readonly aside: ReactNode;
};

export function ConsolidatedCard({ bill, pay, section, aside }: ConsolidatedCardProps) {
  const { t } = useTranslation('billing');
  const format = useFormat();
  const nameOf = useConsolidatedName();
  const [open, setOpen] = useState<Id<'bil'>>();
  const query = useQuery(billingQueries.getConsolidatedBill({ consolidatedId: bill.id }));
  const asked = { consolidatedId: bill.id };
  return (
    <BesideBalance
      aside={aside}
      head={
        <Card
          component="section"
          id={bill.number}
          sx={{ minWidth: 0, scrollMarginTop: '72px', display: 'flex', flexDirection: 'column', gap: 2 }}
        >
          <Stack sx={{ gap: 2, padding: { xs: '16px 16px 0', sm: '20px 24px 0' } }}>
            <Box>
              <Stack direction="row" sx={{ gap: 1.5, alignItems: 'center', flexWrap: 'wrap' }}>
                <Typography variant="h2">{nameOf(bill)}</Typography>
                <BillStatus status={bill.paymentStatus} />
              </Stack>
              <Stack direction="row" sx={{ gap: 0.5, alignItems: 'center', minHeight: 30 }}>
                <Typography variant="body2" component="p" color="textSecondary">
                  {t('billing.number_is', { number: bill.number })}
                </Typography>
                <CopyButton text={bill.number} label={t('billing.copy_number')} />
              </Stack>
            </Box>
            <Box
              sx={{
                display: 'grid',
                gap: '16px 48px',
                alignItems: 'start',
                gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'minmax(0, 1fr) auto' },
              }}
            >
              <TotalAmount
                label={t('billing.consolidated_total')}
                total={bill.total}
                detail={t('billing.net_and_taxes', {
                  net: format.money(bill.net),
                  tax: format.money(bill.tax),
                })}
              />
              <Facts
                items={[
                  [t('billing.consolidated_sections'), format.number(bill.sections)],
                  [t('billing.issued_at'), <Moment key="issued" at={bill.issuedAt} />],
                  [t('billing.due_at'), <Moment key="due" at={bill.dueAt} />],
                  ...(bill.paid.minor > 0n
                    ? [[t('billing.paid'), <Money key="paid" amount={bill.paid} />] as const]
                    : []),
                  ...(bill.credited.minor > 0n
                    ? [[t('billing.credited'), <Money key="credited" amount={bill.credited} />] as const]
                    : []),
                  [t('billing.due'), <Money key="open" amount={bill.due} strong />],
                ]}
              />
            </Box>
            <Stack direction="row" data-screen-only sx={{ gap: 1, flexWrap: 'wrap', alignItems: 'center' }}>
              {pay?.(bill)}
              <BillFiles
                pdf={(language, options) => billingApi.consolidatedBillPdf({ ...asked, language }, options)}
                csv={(language, options) => billingApi.consolidatedBillCsv({ ...asked, language }, options)}
              />
            </Stack>
            <Typography variant="body2" color="textSecondary" data-screen-only>
              {t('billing.consolidated_lead')}
            </Typography>
          </Stack>
          <QueryState
            query={query}
            skeleton={
              <Box sx={{ padding: 3 }}>
                <Lines count={bill.sections + 1} />
              </Box>
            }
          >
            {(detail) => (
              <ConsolidatedSections
                bill={detail}
                open={open}
                onOpen={(billId) => setOpen(billId === open ? undefined : billId)}
              />
            )}
          </QueryState>
        </Card>
      }
    >
      {open !== undefined && section(open)}
    </BesideBalance>
  );
}
