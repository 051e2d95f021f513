// A customer's e-invoices of one bill, and the choice of buyer and carrier while nothing has been sent;
// renders nothing if there are none.
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { BillDetail } from '#features/invoicing/billing/contract.ts';
import { useAuthStore } from '#platform/web/session/auth-store.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLive } from '#platform/web/live/live.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { Section } from '#platform/web/ui/Section.tsx';
import { einvoicesApi, einvoicesKey, einvoicesQueries } from './api.ts';
import { BillEinvoiceList } from './BillEinvoiceList.tsx';
import { BuyerDialog } from './BuyerDialog.tsx';
import { ProofButton } from './ProofButton.tsx';

export function BillEinvoices({ bill }: { bill: Pick<BillDetail, 'id' | 'state'> }) {
  const { t } = useTranslation('einvoices');
  const [isChoosing, setIsChoosing] = useState(false);
  const isReader = useAuthStore((auth) => auth.user?.role.trim() === 'ReadOnly');
  useLive('bills', [einvoicesKey('billEinvoices')]);
  // Errors are not shown here, because the bill's own component already shows that the server cannot be
  // reached.
  const { data: cover } = useQuery(einvoicesQueries.billEinvoices({ billId: bill.id }));
  const save = useCall(einvoicesApi.saveBillBuyer, { invalidates: [einvoicesKey()] });
  if (!cover || (!cover.isCovered && cover.items.length === 0)) return null;
  return (
    <Box className="whole" sx={{ minWidth: 0 }}>
      <Section
        title={t('einvoices.of_bill')}
        actions={
          cover.canChoose &&
          !isReader && (
            <Button
              variant="outlined"
              size="small"
              aria-haspopup="dialog"
              onClick={() => setIsChoosing(true)}
            >
              {t('einvoices.choose')}
            </Button>
          )
        }
      >
        <BillEinvoiceList
          bill={bill}
          cover={cover}
          actions={(one) => one.hasProof && <ProofButton one={one} />}
        />
        {isChoosing && (
          <BuyerDialog
            title={t('einvoices.choose_title')}
            buyer={cover.buyer}
            offered={cover.keeps}
            done={t('einvoices.choose_done')}
            save={(buyer) => save.mutateAsync({ billId: bill.id, ...buyer })}
            onClose={() => setIsChoosing(false)}
          />
        )}
      </Section>
    </Box>
  );
}
