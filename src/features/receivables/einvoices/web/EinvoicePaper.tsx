// The content of an e-invoice: its parties, items and sums.
import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { formatDecimal } from '#kernel/format-money.ts';
import type { Money as Amount } from '#kernel/money.ts';
import type { EinvoiceDocument } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { Moment, Money } from '#platform/web/ui/Money.tsx';
import { PanelPart } from '#platform/web/ui/PanelPart.tsx';

type Fact = readonly [string, React.ReactNode];

/** Describes where it is stored. */
export function useKept(): (one: Pick<EinvoiceDocument, 'carrier' | 'donationCode'>) => string {
  const { t } = useTranslation('einvoices');
  // used as: 'einvoices.carrier_*'
  return ({ carrier, donationCode }) => {
    if (donationCode !== null) return `${t('einvoices.keep_donate')} ${donationCode}`;
    if (carrier === null) return t('einvoices.printed');
    const name = t(`einvoices.carrier_${carrier.kind}`);
    return carrier.kind === 'member' ? name : `${name} ${carrier.code}`;
  };
}

export function EinvoiceFacts({ one, more = [] }: { one: EinvoiceDocument; more?: readonly Fact[] }) {
  const { t } = useTranslation('einvoices');
  const kept = useKept();
  const facts: Fact[] = [
    [t('einvoices.buyer'), one.buyer.name],
    ...(one.buyer.taxId === '' ? [] : [[t('einvoices.tax_id'), one.buyer.taxId] as const]),
    ...(one.kind === 'consumer' ? [[t('einvoices.keep'), kept(one)] as const] : []),
    ...(one.issuedAt
      ? [[t('einvoices.issued_at'), <Moment key="issued" at={one.issuedAt} as="dateTime" />] as const]
      : []),
    ...(one.randomCode === null || one.randomCode === ''
      ? []
      : [[t('einvoices.random_code'), one.randomCode] as const]),
    ...(one.voidReason === null ? [] : [[t('einvoices.void_reason'), one.voidReason] as const]),
    ...more,
  ];
  return <Facts items={facts} />;
}

/** The items, and below them the sums as printed. */
export function EinvoiceItems({ one }: { one: EinvoiceDocument }) {
  const { t } = useTranslation('einvoices');
  const kinds = (['taxable', 'zero_rated', 'exempt'] as const).filter((kind) => one.sales[kind].minor !== 0n);
  // used as: 'einvoices.tax_*'
  return (
    <PanelPart title={t('einvoices.items')}>
      <Box component="ul" sx={{ listStyle: 'none', margin: 0, padding: 0 }}>
        {one.items.map((item, index) => (
          <Stack
            component="li"
            direction="row"
            key={`${item.description}-${index}`}
            sx={{
              gap: 2,
              justifyContent: 'space-between',
              paddingBlock: 1,
              borderTop: '1px solid',
              borderColor: 'divider',
              fontSize: '0.875rem',
            }}
          >
            <Box sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
              {item.description}
              {item.quantity !== '1' && (
                <Typography variant="caption" component="p" color="textSecondary">
                  {formatDecimal(item.quantity)} {item.unit} × {formatDecimal(item.unitPrice)}
                </Typography>
              )}
            </Box>
            <Money amount={item.amount} />
          </Stack>
        ))}
      </Box>
      <Box component="dl" sx={{ margin: 0, paddingTop: 1, borderTop: '1px solid', borderColor: 'divider' }}>
        {kinds.map((kind) => (
          <Line key={kind} label={t(`einvoices.tax_${kind}`)} amount={one.sales[kind]} />
        ))}
        {one.kind === 'company' && <Line label={t('einvoices.tax')} amount={one.shownTax} />}
        <Line label={t('einvoices.total')} amount={one.total} isSum />
        {one.allowed.minor > 0n && <Line label={t('einvoices.allowed')} amount={one.allowed} />}
      </Box>
    </PanelPart>
  );
}

function Line({ label, amount, isSum = false }: { label: string; amount: Amount; isSum?: boolean }) {
  return (
    <Stack
      direction="row"
      sx={{ justifyContent: 'space-between', gap: 2, paddingBlock: 0.25, fontSize: '0.875rem' }}
    >
      <Box component="dt" sx={{ color: isSum ? undefined : 'text.secondary' }}>
        {label}
      </Box>
      <Box component="dd" sx={{ margin: 0 }}>
        <Money amount={amount} strong={isSum} />
      </Box>
    </Stack>
  );
}
