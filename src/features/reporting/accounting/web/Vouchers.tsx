// Vouchers with their lines, with separate columns for debits and credits.
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { Link as RouterLink } from 'react-router';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Money } from '#platform/web/ui/Money.tsx';
import { PlainTable } from '#platform/web/ui/PlainTable.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import type { Voucher } from '../contract.ts';

export function Vouchers({
  vouchers,
  total,
  level = 2,
}: {
  vouchers: readonly Voucher[];
  /** The total of the whole export. */
  total: number;
  level?: 2 | 3;
}) {
  const { t } = useTranslation('accounting');
  const format = useFormat();
  const isPart = total > vouchers.length;
  return (
    <Section
      title={t('accounting.vouchers')}
      level={level}
      flush
      {...(isPart && {
        lead: t('accounting.vouchers_some', { shown: format.number(vouchers.length) }),
      })}
    >
      <Stack
        sx={{
          gap: 2.5,
          paddingBottom: 2,
          // The columns of consecutive vouchers are aligned; long names wrap.
          '& table': { tableLayout: { md: 'fixed' } },
          '& tbody td': { whiteSpace: { md: 'normal' }, overflowWrap: 'anywhere' },
        }}
      >
        {vouchers.map((voucher) => (
          <OneVoucher
            key={`${voucher.day} ${voucher.currency} ${voucher.kind}`}
            voucher={voucher}
            heading={level === 2 ? 'h3' : 'h4'}
          />
        ))}
      </Stack>
    </Section>
  );
}

function OneVoucher({ voucher, heading }: { voucher: Voucher; heading: 'h3' | 'h4' }) {
  const { t } = useTranslation('accounting');
  const format = useFormat();
  const { number, day, kind, currency, summary, lines } = voucher;
  const name = number ?? t('accounting.voucher_new');
  const address = `/admin/ledger?${new URLSearchParams({ view: 'transactions', kind, from: day, to: day }).toString()}`;
  return (
    <Box>
      <Stack
        direction="row"
        sx={{
          gap: 1,
          rowGap: 0,
          flexWrap: 'wrap',
          alignItems: 'baseline',
          padding: { xs: '0 16px 4px', sm: '0 24px 4px' },
        }}
      >
        <Typography variant="subtitle2" component={heading} className="tabular">
          {`${name} · ${format.day(day)} · ${currency}`}
        </Typography>
        <Typography variant="body2" color="textSecondary">
          {summary}
        </Typography>
        <Link component={RouterLink} to={address} variant="body2">
          {t('accounting.view_transactions')}
        </Link>
      </Stack>
      <PlainTable
        label={`${name} ${summary}`}
        words={4}
        heads={[
          t('accounting.code'),
          t('accounting.name'),
          t('accounting.department'),
          t('accounting.summary_head'),
          t('accounting.debit'),
          t('accounting.credit'),
        ]}
        rows={lines.map((line, index) => ({
          key: String(index),
          cells: [
            line.code,
            line.name,
            line.department,
            line.summary,
            line.debit === null ? '' : <Money key="debit" amount={line.debit} />,
            line.credit === null ? '' : <Money key="credit" amount={line.credit} />,
          ],
        }))}
      />
    </Box>
  );
}
