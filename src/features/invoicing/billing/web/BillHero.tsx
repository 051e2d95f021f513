// The head of a bill or of the current month: its total, its composition, and what changed.
import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import type { BillDetail } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { BillChange } from './BillChange.tsx';
import { BillMix } from './BillMix.tsx';
import { singleRate } from './tax-words.ts';
import { TotalAmount } from './TotalAmount.tsx';

export type BillHeroProps = {
  /** The target of links on the page. */
  readonly id?: string;
  readonly title: string;
  /** Shown beside the title: the state. */
  readonly badge: ReactNode;
  /** Shown below the title: the number, or a text if there is no number. */
  readonly subtitle: ReactNode;
  readonly bill: Pick<BillDetail, 'net' | 'taxRate' | 'taxes' | 'tax' | 'total' | 'change' | 'lines'>;
  /** Names and values to the right of the total. */
  readonly facts?: ReactNode;
  readonly actions?: ReactNode;
};

export function BillHero({ id, title, badge, subtitle, bill, facts, actions }: BillHeroProps) {
  const { t } = useTranslation('billing');
  const format = useFormat();
  const rate = singleRate(bill);
  return (
    <Card
      component="section"
      id={id}
      sx={{
        minWidth: 0,
        scrollMarginTop: '72px',
        padding: { xs: '16px', sm: '20px 24px 24px' },
        display: 'flex',
        flexDirection: 'column',
        gap: 2,
      }}
    >
      <Stack sx={{ gap: 0.5 }}>
        <Stack direction="row" sx={{ gap: 1.5, alignItems: 'center', flexWrap: 'wrap' }}>
          <Typography variant="h2">{title}</Typography>
          {badge}
        </Stack>
        {subtitle}
      </Stack>
      <Box
        sx={{
          display: 'grid',
          gap: '16px 48px',
          alignItems: 'start',
          gridTemplateColumns: {
            xs: 'minmax(0, 1fr)',
            sm: facts === undefined ? 'minmax(0, 1fr)' : 'minmax(0, 1fr) auto',
          },
        }}
      >
        <TotalAmount
          label={t('billing.total_with_tax')}
          total={bill.total}
          detail={
            rate === undefined
              ? t('billing.net_and_taxes', { net: format.money(bill.net), tax: format.money(bill.tax) })
              : t('billing.net_and_tax', { net: format.money(bill.net), tax: format.money(bill.tax), rate })
          }
        />
        {facts}
      </Box>
      <BillMix lines={bill.lines} />
      {bill.change && <BillChange change={bill.change} />}
      {actions !== undefined && (
        <Stack direction="row" data-screen-only sx={{ gap: 1, flexWrap: 'wrap', alignItems: 'center' }}>
          {actions}
        </Stack>
      )}
    </Card>
  );
}
