// The late fees of a bill: its terms, the fee that is accruing, and each charge with its calculation.
import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { Money } from '#platform/web/ui/Money.tsx';
import { StatusBadge, type BadgeTone } from '#platform/web/ui/StatusBadge.tsx';
import type { BillLateFees, LateFee } from '../contract.ts';

const tones: Record<LateFee['state'], BadgeTone> = {
  pending: 'primary',
  billed: 'success',
  waived: 'neutral',
  credited: 'neutral',
};

/** Whether there is anything to show: overdue days, or charges. */
export const hasFees = ({ running, fees }: BillLateFees): boolean =>
  fees.length > 0 || (running !== null && running.minor > 0n);

export function FeeFacts({
  fees: { terms, firstDay, running, fees },
  action,
}: {
  fees: BillLateFees;
  action?: (fee: LateFee) => ReactNode;
}) {
  const { t } = useTranslation('latefees');
  const format = useFormat();
  return (
    <Stack sx={{ gap: 1.5 }}>
      {terms && firstDay !== null && (
        <Typography variant="body2">
          {format.sentences(
            terms.fixed === null
              ? t('latefees.bill_percent', { date: format.day(firstDay), percent: terms.percent ?? '' })
              : t('latefees.bill_fixed', {
                  date: format.day(firstDay),
                  amount: format.money(terms.fixed),
                }),
            terms.cap !== null && t('latefees.bill_cap', { amount: format.money(terms.cap) }),
            running !== null &&
              running.minor > 0n &&
              t('latefees.running', { amount: format.money(running) }),
          )}
        </Typography>
      )}
      {fees.length > 0 && (
        <Box
          component="ol"
          aria-label={t('latefees.title')}
          sx={{ listStyle: 'none', margin: 0, padding: 0 }}
        >
          {fees.map((fee) => (
            <Box
              component="li"
              key={fee.id}
              sx={{
                display: 'flex',
                flexWrap: 'wrap',
                gap: '4px 16px',
                alignItems: 'center',
                justifyContent: 'space-between',
                paddingBlock: 1,
                '& + &': { borderTop: '1px solid', borderColor: 'divider' },
              }}
            >
              <Words fee={fee} />
              <Stack direction="row" sx={{ gap: 1.5, alignItems: 'center', flexWrap: 'wrap' }}>
                <Money amount={fee.amount} strong={fee.state === 'pending' || fee.state === 'billed'} />
                {/* used as: 'latefees.state_*' */}
                <StatusBadge tone={tones[fee.state]} label={t(`latefees.state_${fee.state}`)} />
                {action?.(fee)}
              </Stack>
            </Box>
          ))}
        </Box>
      )}
    </Stack>
  );
}

function Words({ fee }: { fee: LateFee }) {
  const { t } = useTranslation('latefees');
  const format = useFormat();
  const { step, stretches, onBill, state, reason, madeAt } = fee;
  return (
    <Box sx={{ minWidth: 0, flex: '1 1 240px' }}>
      {step !== null && (
        <Typography variant="body2">{t('latefees.step', { elapsed: format.number(step) })}</Typography>
      )}
      {stretches.map(({ from, until, days, late }) => (
        <Typography key={from} variant="body2">
          {t('latefees.days', {
            from: format.day(from),
            until: format.day(until),
            late: format.money(late),
            count: days,
          })}
        </Typography>
      ))}
      <Typography variant="caption" component="p" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
        {[
          t('latefees.charged_on', { date: format.date(madeAt) }),
          ...(onBill ? [t('latefees.on_bill', { number: onBill.number })] : []),
          ...(state === 'pending' ? [t('latefees.on_next')] : []),
          ...(reason === '' ? [] : [reason]),
        ].join(' · ')}
      </Typography>
    </Box>
  );
}
