// One retail bill beside its list: head, who sells, lines with how each comes about, and how to pay.
import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { Moment, Money } from '#platform/web/ui/Money.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { BillLines } from '#features/invoicing/billing/web/parts.ts';
import type { ResellerBillDetail, RetailBillDetail } from '../contract.ts';

/** Whether it is paid, by what the reseller noted. */
export function PaidBadge({ paidOn }: Pick<RetailBillDetail, 'paidOn'>) {
  const { t } = useTranslation('resellers');
  return paidOn === null ? (
    <StatusBadge tone="warning" label={t('resellers.unpaid')} />
  ) : (
    <StatusBadge tone="success" label={t('resellers.paid')} />
  );
}

/** `wholesale` is known of the reseller's own bills alone. */
export function RetailBillContent({
  bill,
  actions,
}: {
  bill: RetailBillDetail & Partial<Pick<ResellerBillDetail, 'wholesale'>>;
  actions: ReactNode;
}) {
  const { t } = useTranslation('resellers');
  const format = useFormat();
  return (
    <Stack sx={{ gap: 3 }}>
      <Box>
        <Stack direction="row" sx={{ gap: 1, alignItems: 'center', flexWrap: 'wrap' }}>
          <Typography variant="h3" component="p">
            {bill.number}
          </Typography>
          <PaidBadge paidOn={bill.paidOn} />
        </Stack>
        <Typography variant="kpi" sx={{ marginTop: 1 }}>
          {format.money(bill.total)}
        </Typography>
      </Box>
      <Facts
        items={[
          [t('resellers.seller'), bill.seller],
          [t('resellers.customer'), bill.organization],
          [t('resellers.month'), format.month(bill.month)],
          [t('resellers.issued_at'), <Moment key="issued" at={bill.issuedAt} />],
          [t('resellers.due_at'), <Moment key="due" at={bill.dueAt} />],
          ...(bill.paidOn === null ? [] : [[t('resellers.paid_on'), format.day(bill.paidOn)] as const]),
          ...(bill.paidNote === '' ? [] : [[t('resellers.note'), bill.paidNote] as const]),
          ...(bill.wholesale
            ? [[t('resellers.wholesale'), <Money key="wholesale" amount={bill.wholesale} />] as const]
            : []),
        ]}
      />
      {bill.instructions !== '' && (
        <Box>
          <Typography variant="h3" sx={{ marginBottom: 1 }}>
            {t('resellers.how_to_pay')}
          </Typography>
          <Typography variant="body2" sx={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
            {bill.instructions}
          </Typography>
        </Box>
      )}
      <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
        {actions}
      </Stack>
      <Box component="section">
        <Typography variant="h3" sx={{ marginBottom: 1 }}>
          {t('resellers.lines')}
        </Typography>
        <BillLines bill={bill} label={`${t('resellers.lines')} ${bill.number}`} />
      </Box>
    </Stack>
  );
}
