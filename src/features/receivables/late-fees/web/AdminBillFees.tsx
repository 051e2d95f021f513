// The late fees of a bill for Admins, who waive them.
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { BillDetail } from '#features/invoicing/billing/contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLive } from '#platform/web/live/live.ts';
import type { LateFee } from '../contract.ts';
import { lateFeesKey, lateFeesQueries } from './api.ts';
import { FeeFacts, hasFees } from './FeeFacts.tsx';
import { WaiveDialog } from './WaiveDialog.tsx';

export function AdminBillFees({ bill }: { bill: Pick<BillDetail, 'id'> }) {
  const { t } = useTranslation('latefees');
  const [waiving, setWaiving] = useState<LateFee>();
  useLive('billing', [lateFeesKey('adminBillLateFees')]);
  const { data } = useQuery(lateFeesQueries.adminBillLateFees({ billId: bill.id }));
  if (!data || !hasFees(data)) return null;
  return (
    <Box component="section">
      <Typography variant="h3" sx={{ marginBottom: 1 }}>
        {t('latefees.title')}
      </Typography>
      <FeeFacts
        fees={data}
        action={(fee) =>
          (fee.state === 'pending' || fee.state === 'billed') && (
            <Button size="small" aria-haspopup="dialog" onClick={() => setWaiving(fee)}>
              {t('latefees.waive')}
            </Button>
          )
        }
      />
      {waiving && <WaiveDialog fee={waiving} onClose={() => setWaiving(undefined)} />}
    </Box>
  );
}
