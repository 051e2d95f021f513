// What the operator charged a reseller for its customers in a month, bill by bill, with proof that lines and
// bills agree.
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { BillingMonth } from '#kernel/shape.ts';
import { addMonths } from '#kernel/time.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useBrand } from '#platform/web/shell/brand.ts';
import { monthNow } from '#platform/web/time/months.ts';
import { Money } from '#platform/web/ui/Money.tsx';
import { MonthPicker } from '#platform/web/ui/MonthPicker.tsx';
import { PlainTable } from '#platform/web/ui/PlainTable.tsx';
import { QueryState } from '#platform/web/ui/QueryState.tsx';
import { SidePanel } from '#platform/web/ui/SidePanel.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import type { Reseller } from '../contract.ts';
import { resellersQueries } from './api.ts';

type WholesaleQuery = (month: BillingMonth) => ReturnType<typeof resellersQueries.wholesale>;

export function WholesaleSection({ query }: { readonly query: WholesaleQuery }) {
  const { t } = useTranslation('resellers');
  const [month, setMonth] = useState(addMonths(monthNow(useBrand((brand) => brand.timeZone)), -1));
  return (
    <Section
      title={t('resellers.wholesale_of_month')}
      lead={t('resellers.wholesale_lead')}
      flush
      actions={<MonthPicker value={month} onChange={setMonth} />}
    >
      <QueryState query={useQuery(query(month))}>
        {({ items, totals, isProven }) =>
          items.length === 0 ? (
            <Typography variant="body2" sx={{ padding: 3 }}>
              {t('resellers.no_wholesale')}
            </Typography>
          ) : (
            <>
              <PlainTable
                label={t('resellers.wholesale_of_month')}
                words={2}
                heads={[
                  t('resellers.customer'),
                  t('resellers.number'),
                  t('resellers.sum_of_lines'),
                  t('resellers.wholesale'),
                  t('resellers.retail'),
                ]}
                rows={items.map((bill) => ({
                  key: bill.billId,
                  cells: [
                    bill.organization,
                    bill.number,
                    <Money key="lines" amount={bill.lines} />,
                    <Money key="net" amount={bill.net} />,
                    bill.retail && <Money key="retail" amount={bill.retail} />,
                  ],
                }))}
              />
              {totals.map(({ currency, retail, wholesale, margin }) => (
                <Typography
                  key={currency}
                  variant="body2"
                  component="div"
                  sx={{ paddingInline: { xs: 2, sm: 3 }, paddingTop: 2 }}
                >
                  <Box sx={{ color: 'text.secondary' }}>{t('resellers.total_of', { currency })}</Box>
                  <Money amount={retail} /> − <Money amount={wholesale} /> = <Money amount={margin} strong />
                </Typography>
              ))}
              <Typography
                variant="body2"
                color="textSecondary"
                sx={{ paddingInline: { xs: 2, sm: 3 }, paddingBlock: 2 }}
              >
                {t(isProven ? 'resellers.proven' : 'resellers.not_proven')}
              </Typography>
            </>
          )
        }
      </QueryState>
    </Section>
  );
}

/** For Admins: what one reseller was charged, by month. */
export function WholesalePanel({ reseller, onClose }: { reseller: Reseller; onClose: () => void }) {
  return (
    <SidePanel open title={reseller.name} onClose={onClose} width={760}>
      <WholesaleSection
        query={(month) => resellersQueries.adminWholesale({ resellerId: reseller.organizationId, month })}
      />
    </SidePanel>
  );
}
