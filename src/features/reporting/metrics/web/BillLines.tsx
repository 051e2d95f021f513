// A table of bill and credit note lines with their total, each with its bill.
import Link from '@mui/material/Link';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { Link as RouterLink } from 'react-router';
import { sumMoney, type Currency, type Money as Amount } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { Money } from '#platform/web/ui/Money.tsx';
import { PlainTable } from '#platform/web/ui/PlainTable.tsx';
import { billingPaths, type BillLine } from '#features/invoicing/billing/contract.ts';

type Line = {
  readonly billId: string;
  readonly billNumber: string;
  readonly position: number;
  /** The month, for a line whose revenue is spread over several. */
  readonly month?: BillingMonth;
  readonly serviceName: string;
  readonly kind: BillLine['kind'];
  readonly amount: Amount;
};
type BillLinesProps<L extends Line> = {
  readonly label: string;
  readonly lines: readonly L[];
  readonly currency: Currency;
  /** An additional column for each line. */
  readonly about: { readonly head: string; readonly of: (line: L) => string };
};

export function BillLines<L extends Line>({ label, lines, currency, about }: BillLinesProps<L>) {
  const { t } = useTranslation('metrics');
  const { t: billing } = useTranslation('billing');
  if (lines.length === 0) return <EmptyState compact title={t('metrics.lines_empty')} />;
  // used as: 'billing.kind_*'
  return (
    <PlainTable
      label={label}
      words={3}
      heads={[t('metrics.bill'), t('metrics.line'), about.head, t('metrics.amount')]}
      rows={lines.map((line) => ({
        key: `${line.billId} ${line.position} ${line.month ?? ''}`,
        cells: [
          <Link key="bill" component={RouterLink} to={`${billingPaths.admin}?bill=${line.billId}`}>
            {line.billNumber}
          </Link>,
          <Stack key="line" sx={{ whiteSpace: 'normal' }}>
            <span>{line.serviceName || billing(`billing.kind_${line.kind}`)}</span>
            {line.serviceName !== '' && (
              <Typography variant="caption" color="textSecondary">
                {billing(`billing.kind_${line.kind}`)}
              </Typography>
            )}
          </Stack>,
          about.of(line),
          <Money key="amount" amount={line.amount} />,
        ],
      }))}
      total={{
        key: 'total',
        cells: [
          t('metrics.total'),
          '',
          '',
          <Money
            key="amount"
            amount={sumMoney(
              lines.map(({ amount }) => amount),
              currency,
            )}
            strong
          />,
        ],
      }}
    />
  );
}
