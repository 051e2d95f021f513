// Unpaid bills, the one due first at the top; each links to its payment.
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { Link } from 'react-router';
import { dueNext, type Bill } from '#features/invoicing/billing/contract.ts';
import { BillStatus } from '#features/invoicing/billing/web/parts.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Section } from '#platform/web/ui/Section.tsx';
import { NoWrap } from '#platform/web/ui/NoWrap.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';

export function OpenBills({ bills }: { bills: readonly Bill[] }) {
  const { t } = useTranslation('console');
  const format = useFormat();
  return (
    <Section title={t('user_dashboard.open_bills')} flush>
      <Box component="ul" sx={{ listStyle: 'none', margin: 0, padding: 0 }}>
        {bills.map((bill, index) => (
          <Box
            component="li"
            key={bill.id}
            sx={{
              display: 'flex',
              flexWrap: 'wrap',
              gap: '8px 24px',
              alignItems: 'center',
              padding: { xs: '12px 16px', sm: '12px 24px' },
              borderTop: '1px solid',
              borderColor: 'divider',
            }}
          >
            <Box sx={{ flex: '1 1 220px', minWidth: 0 }}>
              <Stack direction="row" sx={{ gap: 1, alignItems: 'center', flexWrap: 'wrap' }}>
                <Typography variant="subtitle1" component="p">
                  {format.month(bill.month)}
                </Typography>
                <BillStatus status={bill.paymentStatus} instalment={bill.instalment} />
              </Stack>
              <Typography variant="caption" component="p" color="textSecondary">
                <NoWrap
                  text={[
                    t('user_dashboard.bill_due', {
                      number: bill.number,
                      date: bill.instalment ? format.day(bill.instalment.on) : format.date(bill.dueAt),
                    }),
                    // Two bills of a month are distinguished by whose usage they charge.
                    ...(bill.usedBy ? [bill.usedBy.organization] : []),
                  ].join(' · ')}
                />
              </Typography>
            </Box>
            <Button
              // What to do first stands out.
              variant={index === 0 ? 'contained' : 'outlined'}
              size="small"
              component={Link}
              to={`/billing/management?month=${bill.month}`}
              aria-label={t('user_dashboard.pay_bill', {
                number: bill.number,
                amount: format.money(dueNext(bill)),
              })}
            >
              {t('user_dashboard.pay_amount', { amount: format.money(dueNext(bill)) })}
            </Button>
          </Box>
        ))}
      </Box>
    </Section>
  );
}
