// Changes plan or quantity: the family's plans side by side, the fees on the next bills, and when the change
// takes effect.
import Alert from '@mui/material/Alert';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Id } from '#kernel/ids.ts';
import type { Pricing } from '#features/selling/catalogue/contract.ts';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { planQuantity, type ChangePreview, type Plan, type Subscription } from '../contract.ts';
import { previewHoldsMs } from '../rules.ts';
import { finished } from '#platform/web/form/problems.ts';
import { useRequired } from '#platform/web/form/use-required.ts';
import { TextBox } from '#platform/web/form/TextBox.tsx';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { ApiError } from '#platform/web/api/api-error.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { ActionDialog } from '#platform/web/ui/ActionDialog.tsx';
import { Block, Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { SelectBox } from '#platform/web/ui/SelectBox.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useDebounced } from '#platform/web/form/use-debounced.ts';
import { NoWrap } from '#platform/web/ui/NoWrap.tsx';
import { subscriptionsApi, subscriptionsQueries } from './api.ts';
import { BetaNotice } from './BetaNotice.tsx';
import { ChargeQuantities, quantitiesOf, type TypedQuantities } from './ChargeQuantities.tsx';
import { dependsOnUsage } from './CostEstimate.tsx';
import { FeeMonth } from './FeeMonth.tsx';
import { PlanChoice, PlanChoiceSkeleton } from './PlanChoice.tsx';
import { changesSubscriptions, useTakeBackChange } from './subscription-actions.tsx';

/** Well before the amounts can no longer be confirmed. */
const previewRefreshMs = previewHoldsMs / 2;

export type ChangePlanDialogProps = {
  readonly subscription: Subscription;
  readonly chosen: Id<'svc'> | undefined;
  readonly onClose: () => void;
};

/** The quantity of each charge of a rate card, or of a plan with a single price. */
type WantedUnits = { readonly quantity: string } | { readonly quantities: Readonly<Record<string, string>> };

/** The typed quantities of a plan; undefined while one of them is invalid. */
function unitsOf(pricing: Pricing, quantity: string, typed: TypedQuantities): WantedUnits | undefined {
  if (pricing.model !== 'rate_card')
    return planQuantity.safeParse(quantity).success ? { quantity } : undefined;
  const quantities = quantitiesOf(pricing, typed);
  return quantities && { quantities };
}

const hasUnits = (subscription: Subscription, units: WantedUnits): boolean =>
  'quantity' in units
    ? units.quantity === subscription.quantity
    : Object.entries(units.quantities).every(([key, count]) => subscription.quantities?.[key] === count);

export function ChangePlanDialog({ subscription, chosen, onClose }: ChangePlanDialogProps) {
  const { t } = useTranslation('subscriptions');
  const plans = useQuery(subscriptionsQueries.listPlans({ subscriptionId: subscription.id }));
  const [serviceId, setServiceId] = useState<Id<'svc'>>(chosen ?? subscription.service.id);
  const [quantity, setQuantity] = useState(subscription.quantity);
  const [timing, setTiming] = useState<'soonest' | 'end'>('soonest');
  const [acceptsBeta, setAcceptsBeta] = useState(false);
  const [typed, setTyped] = useState<TypedQuantities>(subscription.quantities ?? {});
  const plan = plans.data?.items.find((each) => each.service.id === serviceId);
  // The subscription's own price is known before the plans are, so nothing waits for them.
  const pricing =
    plan?.service.pricing ??
    (serviceId === subscription.service.id ? subscription.service.pricing : undefined);
  const units = pricing && unitsOf(pricing, quantity, typed);
  const rested = useDebounced({ units });
  const isRested = JSON.stringify(rested) === JSON.stringify({ units });
  const isSame =
    units !== undefined && serviceId === subscription.service.id && hasUnits(subscription, units);
  const isPreviewed = rested.units !== undefined && !isSame;
  const wanted = {
    subscriptionId: subscription.id,
    serviceId,
    ...rested.units,
    ...(timing === 'end' && { when: timing }),
  };
  // The preview that the user is about to confirm does not change while they read it; it is only renewed when
  // it expires.
  const preview = usePagedQuery({
    ...subscriptionsQueries.previewChange(wanted),
    enabled: isPreviewed && isRested,
    retry: false,
    refetchInterval: previewRefreshMs,
    staleTime: previewRefreshMs,
    refetchOnWindowFocus: false,
  });
  const change = useChange(onClose);
  const refused =
    isPreviewed && isRested && preview.error instanceof ApiError ? preview.error.errors : undefined;
  const problemAt = (field: 'serviceId' | 'when') => refused?.find((each) => each.field === field)?.message;
  const isAtField = problemAt('serviceId') !== undefined || problemAt('when') !== undefined;
  const needsBeta = plan?.service.releaseState === 'Beta' && !plan.isCurrent;
  const isReady =
    isPreviewed && isRested && preview.data !== undefined && !preview.isPlaceholderData && !preview.error;
  const beta = useRequired(!needsBeta || acceptsBeta, 'form.tick_required');
  const confirm = () =>
    preview.data &&
    beta.check() &&
    change.mutate({
      ...wanted,
      version: preview.data.version,
      ...(preview.data.isNow && { previewedAt: preview.data.at }),
      ...(needsBeta && { acceptBeta: true }),
    });
  return (
    <ActionDialog
      width="md"
      title={t('subscriptions.change_ask', { service: subscription.service.name })}
      confirm={t(
        preview.data && !preview.data.isNow ? 'subscriptions.change_schedule' : 'subscriptions.change_now',
      )}
      isBusy={change.isPending}
      disabled={!isReady}
      onConfirm={confirm}
      problem={change.error?.message}
      onClose={onClose}
    >
      <QueryState query={plans} skeleton={<PlanChoiceSkeleton service={subscription.service} />}>
        {({ items }) => (
          <PlanChoice
            plans={items}
            value={serviceId}
            onChange={setServiceId}
            problem={problemAt('serviceId')}
          />
        )}
      </QueryState>
      {pricing && <ChargeQuantities pricing={pricing} typed={typed} onChange={setTyped} />}
      <Stack direction={{ xs: 'column', sm: 'row' }} sx={{ gap: 2, '& > *': { flex: 1 } }}>
        {pricing?.model !== 'rate_card' && (
          <TextBox
            name="quantity"
            label={t('subscriptions.quantity')}
            value={quantity}
            onChange={setQuantity}
            inputMode="decimal"
            autoComplete="off"
            help={t('subscriptions.quantity_help')}
            problem={
              plan && isRested && units === undefined
                ? finished(t('subscriptions.quantity_wrong'))
                : undefined
            }
          />
        )}
        <SelectBox
          fullWidth
          label={t('subscriptions.change_when')}
          value={timing}
          onChange={setTiming}
          options={[
            { value: 'soonest', label: t('subscriptions.change_when_soonest') },
            { value: 'end', label: t('subscriptions.change_when_end') },
          ]}
          problem={problemAt('when')}
        />
      </Stack>
      {needsBeta && <BetaNotice isAccepted={acceptsBeta} required={beta} onChange={setAcceptsBeta} />}
      {!isAtField && (
        <Outcome
          isSame={isSame}
          error={preview.error}
          preview={isPreviewed ? preview.data : undefined}
          isStale={preview.isPlaceholderData || !isRested}
          plan={plan}
        />
      )}
    </ActionDialog>
  );
}

function useChange(onClose: () => void) {
  const { t } = useTranslation('subscriptions');
  const format = useFormat();
  const takeBack = useTakeBackChange();
  return useCall(subscriptionsApi.change, {
    invalidates: changesSubscriptions,
    onSuccess: ({ id, service, pending }) => {
      const undo = { label: t('subscriptions.undo'), onClick: () => takeBack.mutate({ subscriptionId: id }) };
      if (pending)
        toast.success(
          t('subscriptions.change_scheduled', {
            service: pending.service.name,
            date: format.date(pending.at),
          }),
          undo,
        );
      else toast.success(t('subscriptions.changed', { service: service.name }));
      onClose();
    },
  });
}

/** As tall as the outcome of a price with as many fees: when it takes effect, and the fees of two bills. */
function OutcomeSkeleton({ fees }: { fees: Pricing | undefined }) {
  const count =
    fees?.model === 'rate_card' ? fees.charges.filter(({ kind }) => kind === 'recurring').length : 1;
  const bill = 63 + 57 * Math.max(1, count);
  return (
    <Stack sx={{ gap: 2 }}>
      <Block height={46} />
      <Block height={bill} />
      <Block height={bill} />
      <Lines count={1} />
    </Stack>
  );
}

type OutcomeProps = {
  readonly isSame: boolean;
  readonly error: Error | null;
  readonly preview: ChangePreview | undefined;
  readonly isStale: boolean;
  readonly plan: Plan | undefined;
};

/** When the change takes effect, and the base fees on the next two bills. */
function Outcome({ isSame, error, preview, isStale, plan }: OutcomeProps) {
  const { t } = useTranslation('subscriptions');
  const format = useFormat();
  if (isSame)
    return (
      <Typography variant="body2" color="textSecondary">
        {t('subscriptions.change_choose')}
      </Typography>
    );
  if (error && !isStale) return <Alert severity="error">{error.message}</Alert>;
  if (!preview) return <OutcomeSkeleton fees={plan?.service.pricing} />;
  return (
    <Stack
      component="section"
      aria-label={t('subscriptions.preview')}
      aria-busy={isStale}
      sx={{ gap: 2, opacity: isStale ? 0.6 : 1, transition: 'opacity 120ms' }}
    >
      <Alert severity={preview.isNow ? 'success' : 'info'} icon={false}>
        <NoWrap
          text={
            preview.isNow
              ? t('subscriptions.acts_now', { service: preview.service.name })
              : t('subscriptions.acts_on', { date: format.date(preview.at), service: preview.service.name })
          }
        />
      </Alert>
      <FeeMonth fees={preview.thisBill} />
      <FeeMonth fees={preview.nextBill} />
      <Typography variant="caption" color="textSecondary">
        {t(
          plan && dependsOnUsage(plan.service.pricing)
            ? 'subscriptions.preview_usage'
            : 'subscriptions.preview_tax',
        )}
      </Typography>
    </Stack>
  );
}
