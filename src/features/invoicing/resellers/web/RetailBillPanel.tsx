// One retail bill beside its list: head, seller, lines with the calculation of each, and how to pay.
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { subtractMoney } from '#kernel/money.ts';
import { useDownload } from '#platform/web/api/use-download.ts';
import { useLanguage, useTranslation } from '#platform/web/i18n/i18n.ts';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { Moment, Money } from '#platform/web/ui/Money.tsx';
import { PanelPart } from '#platform/web/ui/PanelPart.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { BillLines } from '#features/invoicing/billing/web/parts.ts';
import type { ResellerBillDetail, RetailBillDetail } from '../contract.ts';
import { resellersApi } from './api.ts';

/** Whether it is credited, paid according to the reseller, or open. */
export function PaidBadge({
  bill: { paidOn, credited, total },
}: {
  bill: Pick<RetailBillDetail, 'paidOn' | 'credited' | 'total'>;
}) {
  const { t } = useTranslation('resellers');
  if (credited.minor > 0n && credited.minor === total.minor)
    return <StatusBadge tone="neutral" label={t('resellers.credited')} />;
  return paidOn === null ? (
    <StatusBadge tone="warning" label={t('resellers.unpaid')} />
  ) : (
    <StatusBadge tone="success" label={t('resellers.paid')} />
  );
}

/** The credit notes, each with its reason and its document. */
function Credits({ bill }: { bill: RetailBillDetail }) {
  const { t } = useTranslation('resellers');
  const language = useLanguage();
  const download = useDownload();
  return (
    <PanelPart title={t('resellers.credits')}>
      <Stack component="ul" sx={{ gap: 1, margin: 0, padding: 0, listStyle: 'none' }}>
        {bill.credits.map(({ id, number, reason, total, issuedAt }) => (
          <Stack
            key={id}
            component="li"
            direction="row"
            sx={{ gap: 1, flexWrap: 'wrap', alignItems: 'center' }}
          >
            <Box sx={{ flex: 1, minWidth: 160 }}>
              <Typography variant="body2">
                {number} · <Moment at={issuedAt} />
              </Typography>
              <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
                {reason}
              </Typography>
            </Box>
            <Money amount={total} />
            <Button
              size="small"
              aria-label={t('resellers.credit_pdf', { number })}
              onClick={() =>
                void download((options) =>
                  resellersApi.retailCreditPdf({ retailBillId: bill.id, creditId: id, language }, options),
                )
              }
            >
              {t('resellers.paper')}
            </Button>
          </Stack>
        ))}
      </Stack>
    </PanelPart>
  );
}

/** `wholesale` is only known for the reseller's own bills. */
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
          <PaidBadge bill={bill} />
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
          ...(bill.paidOn === null ? [] : [[t('resellers.paid_on'), format.dayTable(bill.paidOn)] as const]),
          ...(bill.paidNote === '' ? [] : [[t('resellers.note'), bill.paidNote] as const]),
          ...(bill.credited.minor > 0n
            ? [[t('resellers.credited_amount'), <Money key="credited" amount={bill.credited} />] as const]
            : []),
          // What the customer has to pay, since the bill itself shows its total before credits.
          ...(bill.credited.minor > 0n && bill.paidOn === null
            ? [
                [
                  t('resellers.still_due'),
                  <Money key="due" amount={subtractMoney(bill.total, bill.credited)} strong />,
                ] as const,
              ]
            : []),
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
      {bill.credits.length > 0 && <Credits bill={bill} />}
      <PanelPart title={t('resellers.lines')}>
        <BillLines bill={bill} label={`${t('resellers.lines')} ${bill.number}`} />
      </PanelPart>
    </Stack>
  );
}
