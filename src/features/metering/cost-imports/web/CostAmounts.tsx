// Exact amounts of cost: rounded like money for display, with all their digits in the tooltip.
import Box from '@mui/material/Box';
import Tooltip from '@mui/material/Tooltip';
import { decimal, decimalText } from '#kernel/decimal.ts';
import { isCurrency, money, roundToMoney } from '#kernel/money.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import type { Amount } from '../contract.ts';

/**
 * Formats an amount like money; an amount that would round to zero is shown as less than the smallest unit of
 * its currency.
 */
export function useAmountText(): (amount: Amount) => { readonly text: string; readonly exact: string } {
  const format = useFormat();
  const { t } = useTranslation('costs');
  return ({ amount, currency }) => {
    const plain = decimalText(decimal(amount));
    if (!isCurrency(currency)) return { text: `${plain} ${currency}`, exact: `${plain} ${currency}` };
    const exact = format.unitPrice(plain, currency);
    const rounded = roundToMoney(decimal(plain), currency);
    if (rounded.minor !== 0n || plain === '0') return { text: format.money(rounded), exact };
    const smallest = format.money(money(1n, currency));
    return { text: t(plain.startsWith('-') ? 'costs.over' : 'costs.under', { amount: smallest }), exact };
  };
}

/** Lists several currencies in one sentence. */
export function useAmountsText(): (amounts: readonly Amount[]) => string {
  const format = useFormat();
  const text = useAmountText();
  const { t } = useTranslation('costs');
  return (amounts) =>
    amounts.length === 0 ? t('costs.none') : format.list(amounts.map((amount) => text(amount).text));
}

/** Amounts, one below the other. */
export function CostAmounts({ amounts }: { amounts: readonly Amount[] }) {
  const text = useAmountText();
  if (amounts.length === 0)
    return (
      <Box component="span" sx={{ color: 'text.secondary' }}>
        –
      </Box>
    );
  return (
    <>
      {amounts.map((amount) => {
        const { text: shown, exact } = text(amount);
        const box = (
          <Box
            key={amount.currency}
            component="span"
            className="tabular"
            sx={{ display: 'block', whiteSpace: 'nowrap' }}
          >
            {shown}
          </Box>
        );
        return shown === exact ? (
          box
        ) : (
          <Tooltip key={amount.currency} title={exact}>
            {box}
          </Tooltip>
        );
      })}
    </>
  );
}
