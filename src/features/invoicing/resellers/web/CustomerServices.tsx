// The services of one customer of a reseller, which the reseller can pause and resume.
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useCall } from '#platform/web/api/queries.ts';
import { ReasonDialog } from '#platform/web/form/ReasonDialog.tsx';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { PlainTable } from '#platform/web/ui/PlainTable.tsx';
import { QueryState } from '#platform/web/ui/QueryState.tsx';
import { SidePanel } from '#platform/web/ui/SidePanel.tsx';
import { SubscriptionState } from '#features/selling/subscriptions/web/parts.ts';
import type { CustomerService, ResoldCustomer } from '../contract.ts';
import { resellersApi, resellersKey, resellersQueries } from './api.ts';

/** The action that a User may take on a service in its state; undefined: none. */
const actionOf = ({ state }: CustomerService): 'pause' | 'resume' | undefined =>
  state === 'active' ? 'pause' : state === 'paused' ? 'resume' : undefined;

export function CustomerServices({
  customer,
  mayWrite,
  onClose,
}: {
  customer: ResoldCustomer;
  mayWrite: boolean;
  onClose: () => void;
}) {
  const { t } = useTranslation('resellers');
  const [asked, setAsked] = useState<CustomerService>();
  const query = useQuery(resellersQueries.customerServices({ organizationId: customer.id }));
  return (
    <SidePanel open title={t('resellers.services_of', { name: customer.name })} onClose={onClose} width={640}>
      <QueryState query={query}>
        {({ items }) =>
          items.length === 0 ? (
            <Typography variant="body2">{t('resellers.no_services')}</Typography>
          ) : (
            <PlainTable
              label={t('resellers.services_of', { name: customer.name })}
              words={3}
              hasActions
              heads={[t('resellers.service'), t('resellers.state'), t('resellers.action')]}
              rows={items.map((each) => ({
                key: each.id,
                cells: [
                  each.name,
                  <SubscriptionState key="state" state={each.state} />,
                  mayWrite && actionOf(each) && (
                    <Button
                      key="act"
                      size="small"
                      aria-haspopup="dialog"
                      aria-label={t(
                        actionOf(each) === 'pause' ? 'resellers.pause_of' : 'resellers.resume_of',
                        {
                          name: each.name,
                        },
                      )}
                      onClick={() => setAsked(each)}
                    >
                      {t(actionOf(each) === 'pause' ? 'resellers.pause' : 'resellers.resume')}
                    </Button>
                  ),
                ],
              }))}
            />
          )
        }
      </QueryState>
      {asked && <PauseOrResume customer={customer} service={asked} onClose={() => setAsked(undefined)} />}
    </SidePanel>
  );
}

function PauseOrResume({
  customer,
  service,
  onClose,
}: {
  customer: ResoldCustomer;
  service: CustomerService;
  onClose: () => void;
}) {
  const { t } = useTranslation('resellers');
  const isPause = actionOf(service) === 'pause';
  const act = useCall(isPause ? resellersApi.pauseService : resellersApi.resumeService, {
    invalidates: [resellersKey()],
    onSuccess: () => toast.success(t('resellers.saved')),
  });
  return (
    <ReasonDialog
      title={t(isPause ? 'resellers.pause_of' : 'resellers.resume_of', { name: service.name })}
      confirm={t(isPause ? 'resellers.pause_confirm' : 'resellers.resume_confirm')}
      lead={isPause && <Typography variant="body2">{t('resellers.pause_lead')}</Typography>}
      field={{ label: t('resellers.credit_reason'), help: t('resellers.pause_reason_help'), max: 300 }}
      onReason={(reason) =>
        act.mutateAsync({ organizationId: customer.id, subscriptionId: service.id, reason })
      }
      onClose={onClose}
    />
  );
}
