// The late fees of a bill for Admins, who waive them.
import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { BillDetail } from '#features/invoicing/billing/contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useLive } from '#platform/web/live/live.ts';
import { PanelPart } from '#platform/web/ui/PanelPart.tsx';
import type { LateFee } from '../contract.ts';
import { lateFeesKey, lateFeesQueries } from './api.ts';
import { FeeFacts, hasFees } from './FeeFacts.tsx';
import { WaiveDialog } from './WaiveDialog.tsx';

export function AdminBillFees({ bill }: { bill: Pick<BillDetail, 'id'> }) {
  const { t } = useTranslation('latefees');
  const format = useFormat();
  const [waiving, setWaiving] = useState<LateFee>();
  useLive('billing', [lateFeesKey('adminBillLateFees')]);
  const { data } = useQuery(lateFeesQueries.adminBillLateFees({ billId: bill.id }));
  if (!data || !hasFees(data)) return null;
  return (
    <PanelPart title={t('latefees.title')}>
      <FeeFacts
        fees={data}
        action={(fee) =>
          (fee.state === 'pending' || fee.state === 'billed') && (
            <Button
              size="small"
              aria-haspopup="dialog"
              aria-label={t('latefees.waive_of', { amount: format.money(fee.amount) })}
              onClick={() => setWaiving(fee)}
            >
              {t('latefees.waive')}
            </Button>
          )
        }
      />
      {waiving && <WaiveDialog fee={waiving} onClose={() => setWaiving(undefined)} />}
    </PanelPart>
  );
}
