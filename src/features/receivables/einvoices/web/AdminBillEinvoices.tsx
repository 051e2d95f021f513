// The e-invoices of a bill for an Admin: a part of the bill's page, with links to each of them.
import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { BillDetail } from '#features/invoicing/billing/contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLive } from '#platform/web/live/live.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { PanelPart } from '#platform/web/ui/PanelPart.tsx';
import { changing, einvoicesApi, einvoicesKey, einvoicesQueries } from './api.ts';
import { BillEinvoiceList } from './BillEinvoiceList.tsx';

export function AdminBillEinvoices({
  bill,
}: {
  bill: Pick<BillDetail, 'id' | 'state' | 'currency' | 'total'>;
}) {
  const { t } = useTranslation('einvoices');
  useLive('billing', changing);
  const settings = useQuery(einvoicesQueries.getEinvoiceSettings());
  const { data: cover } = useQuery(einvoicesQueries.adminBillEinvoices({ billId: bill.id }));
  const start = useCall(einvoicesApi.coverBill, {
    invalidates: [einvoicesKey()],
    onSuccess: () => toast.success(t('einvoices.cover_done')),
    onError: (error) => toast.error(error.message),
  });
  const isOn = settings.data !== undefined && settings.data.provider !== 'none';
  const isCoverable = isOn && bill.currency === 'TWD' && bill.state !== 'void' && bill.total.minor > 0n;
  if (!cover || (cover.items.length === 0 && !cover.isCovered && !isCoverable)) return null;
  return (
    <PanelPart
      title={t('einvoices.of_bill')}
      actions={
        <>
          {isCoverable && !cover.isCovered && (
            <Button
              variant="outlined"
              size="small"
              loading={start.isPending}
              onClick={() => start.mutate({ billId: bill.id })}
            >
              {t('einvoices.cover')}
            </Button>
          )}
        </>
      }
    >
      <BillEinvoiceList
        bill={bill}
        cover={cover}
        actions={(one) => (
          <Button component={Link} to={`/admin/einvoices?einvoice=${one.id}`} size="small">
            {t('einvoices.open')}
          </Button>
        )}
      />
    </PanelPart>
  );
}
