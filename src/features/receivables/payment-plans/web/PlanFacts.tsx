// A payment plan: its installments with the open amount of each.
import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { Money } from '#platform/web/ui/Money.tsx';
import { StatusBadge, type BadgeTone } from '#platform/web/ui/StatusBadge.tsx';
import type { InstalmentState, PaymentPlan } from '../contract.ts';

const tones: Record<InstalmentState, BadgeTone> = {
  paid: 'success',
  due: 'primary',
  missed: 'alarm',
  later: 'neutral',
  shortened: 'neutral',
};

export function PlanFacts({ plan }: { plan: PaymentPlan }) {
  const { t } = useTranslation('plans');
  const format = useFormat();
  const [only] = plan.instalments;
  const isPromise = plan.instalments.length === 1 && only !== undefined;
  return (
    <Stack sx={{ gap: 1.5 }}>
      <Box>
        <Typography variant="body2">
          {format.sentences(
            isPromise
              ? t('plans.promised', { date: format.day(only.on) })
              : t('plans.lead', { count: plan.instalments.length }),
            plan.graceDays > 0 && t('plans.grace', { count: plan.graceDays }),
          )}
        </Typography>
        <Typography variant="caption" component="p" color="textSecondary">
          {format.sentences(
            t('plans.kept_hint'),
            plan.bills.length > 1 &&
              t('plans.covers', { numbers: format.list(plan.bills.map(({ number }) => number)) }),
          )}
        </Typography>
        {plan.note !== '' && (
          <Typography variant="caption" component="p" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
            {plan.note}
          </Typography>
        )}
      </Box>
      <Box component="ol" aria-label={t('plans.title')} sx={{ listStyle: 'none', margin: 0, padding: 0 }}>
        {plan.instalments.map(({ on, amount, rest, state }, index) => (
          <Box
            component="li"
            key={on}
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
            <Box sx={{ minWidth: 0 }}>
              <Typography variant="body2">
                {isPromise ? format.day(on) : t('plans.instalment', { number: format.number(index + 1) })}
              </Typography>
              <Typography variant="caption" component="p" color="textSecondary">
                {[
                  ...(isPromise ? [] : [format.day(on)]),
                  ...(rest.minor > 0n && rest.minor < amount.minor
                    ? [t('plans.rest', { amount: format.money(rest) })]
                    : []),
                ].join(' · ')}
              </Typography>
            </Box>
            <Stack direction="row" sx={{ gap: 1.5, alignItems: 'center' }}>
              <Money amount={amount} strong={state === 'due' || state === 'missed'} />
              {/* used as: 'plans.state_*' */}
              <StatusBadge tone={tones[state]} label={t(`plans.state_${state}`)} />
            </Stack>
          </Box>
        ))}
      </Box>
    </Stack>
  );
}
