// The charges of one subscription in this month so far, and on its issued bills.
import Box from '@mui/material/Box';
import MuiLink from '@mui/material/Link';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Id } from '#kernel/ids.ts';
import { billingPaths, type BillLine } from '../contract.ts';
import { useChargeName } from '#features/selling/rating/web/parts.ts';
import { isRefused } from '#platform/web/api/api-error.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Money } from '#platform/web/ui/Money.tsx';
import { QueryState } from '#platform/web/ui/QueryState.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { billingQueries } from './api.ts';
import { LinePeriod, LinePrice, LineQuantity } from './BillLines.tsx';

export function SubscriptionLines({ subscriptionId }: { subscriptionId: Id<'sub'> }) {
  const { t } = useTranslation('billing');
  const format = useFormat();
  const running = useQuery(billingQueries.currentBill());
  const issued = useQuery(billingQueries.subscriptionLines({ subscriptionId }));
  return (
    <Stack component="section" sx={{ gap: 1.5 }}>
      <Typography variant="h3">{t('billing.subscription_lines')}</Typography>
      <QueryState query={running}>
        {({ month, bills }) => (
          <Month
            heading={t('billing.subscription_running', { month: format.month(month) })}
            lines={bills.flatMap((bill) =>
              bill.lines.filter((line) => line.subscriptionId === subscriptionId),
            )}
          />
        )}
      </QueryState>
      {/* The operator's bills for a reseller's customer go to the reseller. */}
      {!isRefused(issued.error) && (
        <QueryState query={issued}>
          {({ items }) => (
            <>
              {[...Map.groupBy(items, (item) => item.billId)].map(([billId, list]) => {
                const [first] = list;
                return (
                  first && (
                    <Month
                      key={billId}
                      heading={
                        <MuiLink component={Link} to={`${billingPaths.bills}?month=${first.month}`}>
                          {t('billing.subscription_bill', {
                            month: format.month(first.month),
                            number: first.billNumber,
                          })}
                        </MuiLink>
                      }
                      lines={list.map((item) => item.line)}
                    />
                  )
                );
              })}
            </>
          )}
        </QueryState>
      )}
    </Stack>
  );
}

function Month({ heading, lines }: { heading: React.ReactNode; lines: readonly BillLine[] }) {
  const { t } = useTranslation('billing');
  const nameOf = useChargeName();
  return (
    <Box sx={{ border: '1px solid', borderColor: 'divider', borderRadius: '5px', padding: '10px 14px' }}>
      <Typography variant="body2" component="h4" sx={{ fontWeight: 700 }}>
        {heading}
      </Typography>
      {lines.length === 0 && (
        <Typography variant="body2" color="textSecondary" sx={{ marginTop: 0.5 }}>
          {t('billing.subscription_nothing')}
        </Typography>
      )}
      <Box component="ul" sx={{ listStyle: 'none', margin: 0, padding: 0 }}>
        {lines.map((line) => (
          <Box
            component="li"
            key={line.id}
            sx={{
              display: 'flex',
              gap: 2,
              justifyContent: 'space-between',
              alignItems: 'baseline',
              flexWrap: 'wrap',
              paddingTop: '6px',
              fontSize: '0.875rem',
            }}
          >
            <Box component="span" sx={{ minWidth: 0 }}>
              {/* used as: 'billing.kind_*' */}
              {t(`billing.kind_${line.kind}`)} ·{' '}
              <Box component="span" sx={{ overflowWrap: 'anywhere' }}>
                {nameOf(line)}
              </Box>
              <Typography variant="caption" component="span" color="textSecondary" sx={{ display: 'block' }}>
                <LinePeriod line={line} />
                <LineQuantity line={line} />
                {line.unitPrice !== null && (
                  <>
                    {' '}
                    × <LinePrice line={line} currency={line.total.currency} />
                  </>
                )}
              </Typography>
            </Box>
            <Money amount={line.total} />
          </Box>
        ))}
      </Box>
    </Box>
  );
}
