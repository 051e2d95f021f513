// The late fees of a customer's bill; renders nothing for a bill without any.
import Box from '@mui/material/Box';
import { useQuery } from '@tanstack/react-query';
import type { Bill } from '#features/invoicing/billing/contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLive } from '#platform/web/live/live.ts';
import { Section } from '#platform/web/ui/Section.tsx';
import { lateFeesKey, lateFeesQueries } from './api.ts';
import { FeeFacts, hasFees } from './FeeFacts.tsx';

export function BillFees({ bill }: { bill: Pick<Bill, 'id'> }) {
  const { t } = useTranslation('latefees');
  useLive('bills', [lateFeesKey('billLateFees')]);
  const { data } = useQuery(lateFeesQueries.billLateFees({ billId: bill.id }));
  return data && hasFees(data) ? (
    <Box className="whole" sx={{ minWidth: 0 }}>
      <Section title={t('latefees.title')}>
        <FeeFacts fees={data} />
      </Section>
    </Box>
  ) : null;
}
