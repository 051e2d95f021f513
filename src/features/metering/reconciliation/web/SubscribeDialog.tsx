// Assigns a payer to what is unbilled: an existing subscription, or a new one with the known fields filled
// in.
import { dayOf, dayPeriod, monthOf, monthPeriod } from '#kernel/time.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useBrand } from '#platform/web/shell/brand.ts';
import { nowMs } from '#platform/web/time/clock.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { PayerDialog } from '#features/metering/connectors/web/parts.ts';
import type { Finding } from '../contract.ts';
import { reconciliationApi, reconciliationKey } from './api.ts';
import { nameOf } from './finding-words.tsx';

export function SubscribeDialog({
  finding,
  onClose,
  onDone,
}: {
  finding: Finding;
  onClose: () => void;
  onDone: () => void;
}) {
  const { t } = useTranslation('reconciliation');
  const zone = useBrand((brand) => brand.timeZone);
  const { subscription, suggested, service, since, cause } = finding;
  const month = monthPeriod(monthOf(new Date(nowMs()), zone), zone);
  const begin = since && since > month.start ? since : month.start;
  const payer =
    subscription && cause !== 'ended'
      ? { id: subscription.id, name: subscription.name, organization: subscription.organization }
      : null;
  const subscribe = useCall(reconciliationApi.subscribeFinding, { invalidates: [reconciliationKey()] });
  const name = nameOf(finding);
  return (
    <PayerDialog
      title={t('reconciliation.subscribe_title', { name })}
      known={{
        how: payer ? 'subscription' : 'new',
        payer,
        organization: subscription
          ? { id: subscription.organizationId, name: subscription.organization }
          : suggested,
        service,
        startsOn: dayOf(begin, zone),
      }}
      submitLabel={t('reconciliation.subscribe')}
      onSubmit={async (to) => {
        await subscribe.mutateAsync({
          findingId: finding.id,
          to:
            to.kind === 'subscription'
              ? { kind: 'existing', subscriptionId: to.subscriptionId }
              : {
                  kind: 'new',
                  organizationId: to.organizationId,
                  serviceId: to.serviceId,
                  startedAt: dayPeriod(to.startsOn, zone).start,
                },
        });
        toast.success(t('reconciliation.subscribed', { name }));
        onDone();
      }}
      onClose={onClose}
    />
  );
}
