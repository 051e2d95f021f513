// What changed against last month, in one sentence with the services that moved it most.
import Typography from '@mui/material/Typography';
import type { BillDetail } from '#features/billing/contract.ts';
import { useFormat } from '#platform/web/use-format.ts';
import { useBillingTexts } from './texts.ts';

export function BillChange({ change }: { change: NonNullable<BillDetail['change']> }) {
  const t = useBillingTexts();
  const format = useFormat();
  const amount = format.moneyChange(change.difference);
  const movers = change.movers.map((mover) => `${mover.serviceName} ${format.moneyChange(mover.difference)}`);
  // The server's percent has one digit and is only shown; a change too small for it is said by its amount.
  const size = change.percent === null || change.percent === 0 ? amount : t('billing.change_size', { amount, percent: format.percentChange(change.percent / 100) });
  return (
    <Typography variant="body2" color="textSecondary">
      {change.direction === 'flat' ? t('billing.change_flat') : t('billing.change', { size })}
      {movers.length > 0 && ` ${t('billing.change_movers', { movers: format.list(movers) })}`}
    </Typography>
  );
}
