// Amounts, prices, quantities and times in the formats of format.ts.
import Box from '@mui/material/Box';
import Tooltip from '@mui/material/Tooltip';
import type { Currency, Money as Amount } from '#kernel/money.ts';
import { useNow } from '../time/clock.ts';
import { useFormat } from '../format/use-format.ts';
import { VisuallyHidden } from './VisuallyHidden.tsx';

/**
 * An exact amount; `short` abbreviates large ones and gives the exact one to the tooltip and to screen
 * readers.
 */
export function Money({
  amount,
  short = false,
  strong = false,
}: {
  amount: Amount;
  short?: boolean;
  strong?: boolean;
}) {
  const format = useFormat();
  const { text, full } = short ? format.moneyShort(amount) : { text: format.money(amount), full: '' };
  const isShort = short && text !== full;
  const box = (
    <Box
      component="span"
      className="tabular"
      sx={{ whiteSpace: 'nowrap', fontWeight: strong ? 700 : undefined }}
    >
      {isShort ? (
        <>
          <span aria-hidden>{text}</span>
          <VisuallyHidden>{full}</VisuallyHidden>
        </>
      ) : (
        text
      )}
    </Box>
  );
  return isShort ? <Tooltip title={full}>{box}</Tooltip> : box;
}

/** A unit price with all its digits. */
export function UnitPrice({ price, currency }: { price: string; currency: Currency }) {
  return (
    <Box component="span" className="tabular" sx={{ whiteSpace: 'nowrap' }}>
      {useFormat().unitPrice(price, currency)}
    </Box>
  );
}

/** A decimal quantity with its unit. `isBrief`: with up to six decimals, where an explanation has all of them. */
export function Quantity({
  value,
  unit = '',
  isBrief = false,
}: {
  value: string;
  unit?: string;
  isBrief?: boolean;
}) {
  const format = useFormat();
  return (
    <Box component="span" className="tabular" sx={{ whiteSpace: 'nowrap' }}>
      {isBrief ? `${format.brief(value)} ${unit}`.trimEnd() : format.quantity(value, unit)}
    </Box>
  );
}

/** A time: date, date and time, or relative with the exact time in the tooltip. */
export function Moment({ at, as = 'date' }: { at: Date; as?: 'date' | 'dateTime' | 'relative' }) {
  const now = useNow();
  const format = useFormat();
  const dateTime = at.toISOString();
  if (as !== 'relative')
    return (
      <Box component="time" dateTime={dateTime} className="tabular" sx={{ whiteSpace: 'nowrap' }}>
        {as === 'date' ? format.dateTable(at) : format.dateTimeTable(at)}
      </Box>
    );
  return (
    <Tooltip title={format.dateTime(at)}>
      <Box component="time" dateTime={dateTime} sx={{ whiteSpace: 'nowrap' }}>
        {/* The page's clock goes by minutes: what came since its last one has just been. */}
        {format.relative(at > now && at.getTime() - now.getTime() < 60_000 ? now : at, now)}
      </Box>
    </Tooltip>
  );
}
