// The base fees on a month's bill, each with its calculation: units × price × days.
import { inLanguage } from '#kernel/language.ts';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { moneyDecimal } from '#kernel/money.ts';
import { decimal } from '#kernel/decimal.ts';
import type { FeeLine, FeeMonth as Fees } from '../contract.ts';
import { useLanguage, useTranslation } from '#platform/web/i18n/i18n.ts';
import { Money } from '#platform/web/ui/Money.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';

export function FeeMonth({ fees: { month, lines, net } }: { fees: Fees }) {
  const { t } = useTranslation('subscriptions');
  const format = useFormat();
  const label = t('subscriptions.preview_bill', { month: format.month(month) });
  return (
    <Box
      component="table"
      aria-label={label}
      sx={{
        width: '100%',
        borderCollapse: 'collapse',
        fontSize: '0.875rem',
        lineHeight: 22 / 14,
        '& th, & td': {
          padding: '6px 0',
          textAlign: 'start',
          fontWeight: 400,
          verticalAlign: 'top',
          borderTop: '1px solid',
          borderColor: 'divider',
        },
        '& td': { textAlign: 'end', whiteSpace: 'nowrap', paddingInlineStart: '16px' },
      }}
    >
      <Box component="caption" sx={{ textAlign: 'start', fontWeight: 700, paddingBottom: '6px' }}>
        {label}
      </Box>
      <tbody>
        {lines.length === 0 && (
          <tr>
            <Box component="th" scope="row" colSpan={2} sx={{ color: 'text.secondary' }}>
              {t('subscriptions.preview_nothing')}
            </Box>
          </tr>
        )}
        {lines.map((line, index) => (
          <Line key={index} line={line} />
        ))}
      </tbody>
      {lines.length > 0 && (
        <tfoot>
          <Box
            component="tr"
            sx={{ '& > *': { borderTopColor: 'text.secondary !important', fontWeight: '700 !important' } }}
          >
            <th scope="row">{t('subscriptions.preview_net')}</th>
            <td>
              <Money amount={net} strong />
            </td>
          </Box>
        </tfoot>
      )}
    </Box>
  );
}

function Line({ line }: { line: FeeLine }) {
  const { t } = useTranslation('subscriptions');
  const format = useFormat();
  const share = line.steps[0]?.share;
  const { t: tRating } = useTranslation('rating');
  const language = useLanguage();
  const priceText = (price: string): string => format.unitPrice(price, line.total.currency);
  // A whole period of tiers or packages has no single price; each of its steps is shown.
  const isStepwise = line.unitPrice === null && share === undefined;
  const price = isStepwise
    ? line.steps.map((step) => `${format.number(step.quantity)} × ${priceText(step.unitPrice)}`).join(' + ')
    : priceText(line.unitPrice ?? line.steps[0]?.unitPrice ?? '0');
  // used as: 'subscriptions.share_*'
  const part =
    share &&
    (share.part === share.whole
      ? // used as: 'rating.one_*'
        tRating(`rating.one_${line.unit}`)
      : t(`subscriptions.share_${share.unit}`, {
          part: format.number(share.part),
          whole: format.number(share.whole),
        }));
  const arithmetic = [
    ...(share && share.units !== '1' && line.unitPrice !== null ? [format.number(share.units)] : []),
    price,
    ...(part ? [part] : []),
  ].join(' × ');
  const isRounded = !decimal(line.exact).eq(moneyDecimal(line.total));
  return (
    <tr>
      <th scope="row">
        {t(line.kind === 'credit' ? 'subscriptions.line_credit' : 'subscriptions.line_fee', {
          service:
            line.charge === undefined
              ? line.serviceName
              : tRating('rating.of_service', {
                  service: line.serviceName,
                  charge: inLanguage(line.charge.name, language),
                }),
        })}
        <Typography
          variant="caption"
          component="span"
          color="textSecondary"
          className="tabular"
          sx={{ display: 'block' }}
        >
          {arithmetic}
          {isRounded && ` = ${format.number(decimal(line.exact).round(6, 1).toFixed())}`}
        </Typography>
      </th>
      <td>
        <Money amount={line.total} />
      </td>
    </tr>
  );
}
