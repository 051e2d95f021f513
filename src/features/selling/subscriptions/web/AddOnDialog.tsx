// Adds a service to a subscription: its price, the quantity, its start and end.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import type { Service } from '#features/selling/catalogue/contract.ts';
import { isDay } from '#kernel/shape.ts';
import { dayOf, dayPeriod } from '#kernel/time.ts';
import type { Subscription } from '../contract.ts';
import { finished } from '#platform/web/form/problems.ts';
import { useDebounced } from '#platform/web/form/use-debounced.ts';
import { useRequired } from '#platform/web/form/use-required.ts';
import { TickBox } from '#platform/web/form/TickBox.tsx';
import { ApiError } from '#platform/web/api/api-error.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useNow } from '#platform/web/time/clock.ts';
import { useBrand } from '#platform/web/shell/brand.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { ActionDialog } from '#platform/web/ui/ActionDialog.tsx';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { subscriptionsApi, subscriptionsQueries } from './api.ts';
import { BillsAfter } from './BillsAfter.tsx';
import {
  ChargeQuantities,
  givenQuantities,
  quantitiesOf,
  type TypedQuantities,
} from './ChargeQuantities.tsx';
import { CostEstimate, hasFees } from './CostEstimate.tsx';
import { DayChoice } from './DayChoice.tsx';
import { beginOn } from './begin-on.ts';
import { priceFact } from './PriceList.tsx';
import { changesSubscriptions } from './subscription-actions.tsx';
import { useFeePreview } from './use-fee-preview.ts';

export type AddOnDialogProps = {
  readonly subscription: Subscription;
  readonly service: Service;
  /**
   * An Admin adds it for the organization: it may start in the past, and obtaining the organization's consent
   * is the Admin's responsibility.
   */
  readonly ofAnyone?: boolean;
  readonly onClose: () => void;
};

export function AddOnDialog({ subscription, service, ofAnyone = false, onClose }: AddOnDialogProps) {
  const { t } = useTranslation('subscriptions');
  const format = useFormat();
  const zone = useBrand((brand) => brand.timeZone);
  const now = useNow();
  const [typed, setTyped] = useState<TypedQuantities>({});
  const [firstDay, setFirstDay] = useState<string>();
  const [lastDay, setLastDay] = useState<string>();
  const [agrees, setAgrees] = useState(false);
  const hasFirst = useRequired(firstDay === undefined || isDay(firstDay));
  const hasLast = useRequired(lastDay === undefined || isDay(lastDay));
  const agreement = useRequired(agrees, 'form.tick_required');
  const quantities = quantitiesOf(service.pricing, typed);
  const params = { service: service.name, to: subscription.service.name };
  const add = useCall(ofAnyone ? subscriptionsApi.adminAddAddOn : subscriptionsApi.addAddOn, {
    invalidates: changesSubscriptions,
    onSuccess: ({ state, startedAt }) => {
      toast.success(
        state === 'scheduled'
          ? t('subscriptions.added_scheduled', { ...params, date: format.date(startedAt) })
          : t('subscriptions.added', params),
      );
      onClose();
    },
  });
  // Today has already started, so choosing it starts now.
  const startsNow = (day: string | undefined): boolean => day === undefined || day === dayOf(now, zone);
  const isFromNow = startsNow(firstDay);
  const orderOf = (first: string | undefined, last: string | undefined) => ({
    subscriptionId: subscription.id,
    serviceId: service.id,
    ...(isDay(first) && !startsNow(first) && { startedAt: beginOn(first, zone, subscription.startedAt) }),
    // The chosen day is the last one.
    ...(isDay(last) && { endsAt: dayPeriod(last, zone).end }),
  });
  const chosen = useDebounced({ quantities, firstDay, lastDay });
  const preview = useFeePreview(
    subscriptionsQueries.previewAddOn({
      ...orderOf(chosen.firstDay, chosen.lastDay),
      ...givenQuantities(chosen.quantities),
    }),
    { enabled: !ofAnyone && chosen.quantities !== undefined && hasFees(service.pricing) },
  );
  const refusal = add.error ?? preview.error;
  const problemOf = (name: 'startedAt' | 'endsAt'): string | undefined =>
    refusal instanceof ApiError ? refusal.errors.find(({ field }) => field === name)?.message : undefined;
  const [wrongStart, wrongEnd] = [problemOf('startedAt'), problemOf('endsAt')];
  const confirm = () =>
    // The last one checked gets the focus.
    [agreement.check(), hasLast.check(), hasFirst.check()].every(Boolean) &&
    add.mutate({
      ...orderOf(firstDay, lastDay),
      ...givenQuantities(quantities),
      ...(service.releaseState === 'Beta' && { acceptBeta: true }),
    });
  return (
    <ActionDialog
      title={t('subscriptions.add_ask', params)}
      confirm={t('subscriptions.add_confirm')}
      isBusy={add.isPending}
      disabled={quantities === undefined || preview.isLoading}
      onConfirm={confirm}
      problem={wrongStart === undefined && wrongEnd === undefined ? add.error?.message : undefined}
      onClose={onClose}
    >
      {service.description !== '' && (
        <Typography variant="body2" sx={{ whiteSpace: 'pre-line' }}>
          {service.description}
        </Typography>
      )}
      <Facts
        items={[
          priceFact(t('subscriptions.price'), service),
          ...(service.features.length === 0
            ? []
            : [[t('subscriptions.features'), format.list(service.features)] as const]),
        ]}
      />
      <ChargeQuantities pricing={service.pricing} typed={typed} onChange={setTyped} />
      {!ofAnyone && <CostEstimate service={service} folded quantities={quantities} />}
      <DayChoice
        label={t('subscriptions.add_from')}
        plain={t('subscriptions.add_at_once')}
        dated={t('subscriptions.add_from_day')}
        day={t('subscriptions.first_day')}
        name="from"
        value={firstDay}
        problem={wrongStart === undefined ? hasFirst.problem : finished(wrongStart)}
        inputRef={hasFirst.input}
        onChange={(day) => {
          add.reset();
          setFirstDay(day);
        }}
      />
      <DayChoice
        label={t('subscriptions.add_until')}
        plain={t('subscriptions.add_open_end')}
        dated={t('subscriptions.add_until_day')}
        day={t('subscriptions.last_day')}
        name="until"
        value={lastDay}
        problem={wrongEnd === undefined ? hasLast.problem : finished(wrongEnd)}
        inputRef={hasLast.input}
        onChange={(day) => {
          add.reset();
          setLastDay(day);
        }}
      />
      {!ofAnyone && hasFees(service.pricing) && <BillsAfter preview={preview} service={service} />}
      <Typography variant="body2" component="div" color="textSecondary">
        {t(isFromNow ? 'subscriptions.add_follows' : 'subscriptions.add_follows_later', params)}
        {ofAnyone && <Box sx={{ marginTop: 0.5 }}>{t('subscriptions.add_past_help')}</Box>}
      </Typography>
      {service.releaseState === 'Beta' && <Alert severity="info">{t('subscriptions.beta_notice')}</Alert>}
      <TickBox
        name="agrees"
        label={t(ofAnyone ? 'subscriptions.add_agreed' : 'subscriptions.agree')}
        isOn={agrees}
        problem={agreement.problem}
        inputRef={agreement.input}
        onChange={setAgrees}
      />
    </ActionDialog>
  );
}
