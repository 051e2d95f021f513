// The plans of a family side by side, one of them chosen.
import Box from '@mui/material/Box';
import FormHelperText from '@mui/material/FormHelperText';
import Radio from '@mui/material/Radio';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import type { Id } from '#kernel/ids.ts';
import type { Plan, Subscription } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Block } from '#platform/web/ui/QueryState.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { usePriceWords } from './price-words.ts';
import { isMetered, limitUnit } from '#features/selling/catalogue/rules.ts';

export type PlanChoiceProps = {
  readonly plans: readonly Plan[];
  readonly value: Id<'svc'>;
  readonly onChange: (serviceId: Id<'svc'>) => void;
  /** Why switching to the chosen plan is not possible. */
  readonly problem?: string | undefined;
};

const featuresShown = 3;
const pricesShown = 3;

const sideBySide = (plans: number) => ({
  display: 'grid',
  gap: 1.5,
  gridTemplateColumns: {
    xs: 'minmax(0, 1fr)',
    sm: `repeat(${Math.min(3, Math.max(2, plans))}, minmax(0, 1fr))`,
  },
});

export function PlanChoice({ plans, value, onChange, problem }: PlanChoiceProps) {
  const { t } = useTranslation('subscriptions');
  const group = useId();
  return (
    <Box
      component="fieldset"
      {...(problem !== undefined && { 'aria-describedby': `${group}-problem` })}
      sx={{ border: 0, margin: 0, padding: 0, minWidth: 0 }}
    >
      <Typography component="legend" variant="subtitle2" sx={{ padding: 0, marginBottom: 1 }}>
        {t('subscriptions.plans')}
      </Typography>
      <Box sx={sideBySide(plans.length)}>
        {plans.map((plan) => (
          <PlanOption
            key={plan.service.id}
            plan={plan}
            group={group}
            isChosen={plan.service.id === value}
            onChoose={() => onChange(plan.service.id)}
          />
        ))}
      </Box>
      {problem !== undefined && (
        <FormHelperText error id={`${group}-problem`} role="alert">
          {problem}
        </FormHelperText>
      )}
      {plans.length === 1 && (
        <Typography variant="caption" color="textSecondary" component="p" sx={{ marginTop: 1 }}>
          {t('subscriptions.plans_none')}
        </Typography>
      )}
    </Box>
  );
}

/** Two plans as tall as the one that the subscription has. */
export function PlanChoiceSkeleton({ service }: { service: Subscription['service'] }) {
  const { t } = useTranslation('subscriptions');
  const sentences = Math.min(pricesShown, usePriceWords(service).length);
  const height = 81 + 26 * sentences + (isMetered(service.meter) ? 24 : 0);
  return (
    <Box aria-hidden>
      <Typography variant="subtitle2" component="p" sx={{ marginBottom: 1 }}>
        {t('subscriptions.plans')}
      </Typography>
      <Box sx={sideBySide(2)}>
        <Block height={height} />
        <Block height={height} />
      </Box>
    </Box>
  );
}

function PlanOption({
  plan: { service, isCurrent, direction },
  group,
  isChosen,
  onChoose,
}: {
  plan: Plan;
  group: string;
  isChosen: boolean;
  onChoose: () => void;
}) {
  const { t } = useTranslation('subscriptions');
  const format = useFormat();
  const words = usePriceWords(service);
  return (
    <Box
      component="label"
      sx={{
        display: 'flex',
        gap: 0.5,
        alignItems: 'flex-start',
        padding: '8px 12px 12px 4px',
        border: '1px solid',
        borderColor: isChosen ? 'primary.main' : 'divider',
        borderRadius: '5px',
        cursor: 'pointer',
        boxShadow: isChosen ? (theme) => `inset 0 0 0 1px ${theme.vars.palette.primary.main}` : 'none',
        '&:focus-within': { outline: '2px solid', outlineColor: 'primary.main', outlineOffset: 2 },
      }}
    >
      <Radio size="small" name={group} value={service.id} checked={isChosen} onChange={onChoose} />
      <Stack sx={{ gap: 0.5, minWidth: 0, paddingTop: '7px', flex: 1 }}>
        <Typography variant="body2" component="span" sx={{ fontWeight: 700, overflowWrap: 'anywhere' }}>
          {service.name}
        </Typography>
        <Stack direction="row" sx={{ gap: 0.5, flexWrap: 'wrap' }}>
          {isCurrent && <StatusBadge tone="primary" icon={null} label={t('subscriptions.plan_current')} />}
          {/* used as: 'subscriptions.direction_*' */}
          {!isCurrent && (
            <StatusBadge
              tone={direction === 'upgrade' ? 'info' : 'neutral'}
              icon={null}
              label={t(`subscriptions.direction_${direction}`)}
            />
          )}
          {service.releaseState === 'Beta' && (
            <StatusBadge tone="warning" icon={null} label={t('subscriptions.release_beta')} />
          )}
        </Stack>
        {words.slice(0, pricesShown).map((sentence) => (
          <Typography key={sentence} variant="body2" component="span" className="tabular">
            {sentence}
          </Typography>
        ))}
        {isMetered(service.meter) && (
          <Typography variant="caption" component="span" color="textSecondary">
            {service.quota.type === 'unlimited'
              ? t('subscriptions.quota_none')
              : t('subscriptions.quota_limit', {
                  limit: format.quantity(service.quota.limit, limitUnit(service)),
                })}
          </Typography>
        )}
        {service.features.slice(0, featuresShown).map((feature) => (
          <Typography key={feature} variant="caption" component="span" color="textSecondary">
            ✓ {feature}
          </Typography>
        ))}
      </Stack>
    </Box>
  );
}
