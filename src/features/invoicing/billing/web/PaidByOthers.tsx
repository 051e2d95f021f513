// What other organizations will be billed for single subscriptions in the current month: who pays, for which
// services, and the amount.
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { CurrentBill } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Money } from '#platform/web/ui/Money.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { Section } from '#platform/web/ui/Section.tsx';

export function PaidByOthers({ parts }: { parts: CurrentBill['paidByOthers'] }) {
  const { t } = useTranslation('billing');
  const format = useFormat();
  if (parts.length === 0) return null;
  return (
    <Box className="whole" sx={{ minWidth: 0 }}>
      <Section title={t('billing.paid_by_others')} lead={t('billing.paid_by_others_lead')}>
        <Box component="ul" sx={{ listStyle: 'none', margin: 0, padding: 0, display: 'grid', gap: 1 }}>
          {parts.map((part) => (
            <Box
              component="li"
              key={`${part.payer} ${part.currency} ${part.services.join(' ')}`}
              sx={{ display: 'flex', gap: '4px 16px', flexWrap: 'wrap', justifyContent: 'space-between' }}
            >
              <Box sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
                <Typography variant="body2" sx={{ fontWeight: 700 }}>
                  {t('billing.paid_by', { payer: part.payer })}
                </Typography>
                <Typography variant="body2" color="textSecondary">
                  {format.list(part.services)}
                </Typography>
              </Box>
              <Money amount={part.total} />
            </Box>
          ))}
        </Box>
      </Section>
    </Box>
  );
}
