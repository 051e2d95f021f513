// The list of a bill's e-invoices, or why there is none yet.
import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import type { BillDetail } from '#features/invoicing/billing/contract.ts';
import type { BillEinvoices, EinvoiceDocument } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Moment, Money } from '#platform/web/ui/Money.tsx';
import { useKept } from './EinvoicePaper.tsx';
import { EinvoiceState } from './EinvoiceState.tsx';

export function BillEinvoiceList({
  bill,
  cover,
  actions,
}: {
  bill: Pick<BillDetail, 'state'>;
  cover: BillEinvoices;
  actions: (one: EinvoiceDocument) => ReactNode;
}) {
  const { t } = useTranslation('einvoices');
  if (cover.items.length === 0)
    return (
      <Typography variant="body2" color="textSecondary">
        {t(
          !cover.isCovered
            ? 'einvoices.of_bill_uncovered'
            : bill.state === 'void'
              ? 'einvoices.of_bill_void'
              : cover.timing === 'on_payment' && bill.state !== 'paid'
                ? 'einvoices.of_bill_none_on_payment'
                : 'einvoices.of_bill_none_on_issue',
        )}
      </Typography>
    );
  return (
    <Box
      component="ul"
      aria-label={t('einvoices.of_bill')}
      sx={{
        listStyle: 'none',
        margin: 0,
        padding: 0,
        '& > li:first-of-type': { borderTop: 0, paddingTop: 0 },
      }}
    >
      {cover.items.map((one) => (
        <Item key={one.id} one={one} actions={actions(one)} />
      ))}
    </Box>
  );
}

function Item({ one, actions }: { one: EinvoiceDocument; actions: ReactNode }) {
  const { t } = useTranslation('einvoices');
  const kept = useKept();
  return (
    <Box
      component="li"
      sx={{ paddingBlock: 1, borderTop: '1px solid', borderColor: 'divider', fontSize: '0.875rem' }}
    >
      <Stack direction="row" sx={{ gap: 2, justifyContent: 'space-between', alignItems: 'flex-start' }}>
        <Box sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
          <Stack direction="row" sx={{ gap: 1, alignItems: 'center', flexWrap: 'wrap' }}>
            <Box component="span" className="tabular" sx={{ fontWeight: 700 }}>
              {one.number ?? t('einvoices.no_number_yet')}
            </Box>
            <EinvoiceState state={one.state} />
          </Stack>
          <Typography variant="caption" component="p" color="textSecondary">
            {one.issuedAt && (
              <>
                <Moment at={one.issuedAt} />
                {' · '}
              </>
            )}
            {one.kind === 'company' ? `${one.buyer.name} ${one.buyer.taxId}` : kept(one)}
          </Typography>
          {one.allowed.minor > 0n && (
            <Typography variant="caption" component="p" color="textSecondary">
              {t('einvoices.allowed')} <Money amount={one.allowed} />
            </Typography>
          )}
        </Box>
        <Stack direction="row" sx={{ gap: 1, alignItems: 'center' }}>
          <Money amount={one.total} />
          {actions}
        </Stack>
      </Stack>
    </Box>
  );
}
