// Actions for an endpoint, in the list and on its own page.
import { useState, type ReactNode } from 'react';
import type { Endpoint } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { ConfirmDialog } from '#platform/web/ui/ConfirmDialog.tsx';
import type { RowAction } from '#platform/web/ui/RowMenu.tsx';
import { webhooksApi, webhooksKey } from './api.ts';
import { EndpointPanel } from './EndpointPanel.tsx';
import { RotatePanel } from './RotatePanel.tsx';

type EndpointAction = 'edit' | 'rotate' | 'endPrevious' | 'off' | 'delete';

/**
 * The menu of an endpoint, and the panel or dialog opened from it. `onDeleted` closes the deleted endpoint's
 * page.
 */
export function useEndpointActions(onDeleted?: () => void): {
  readonly actions: (endpoint: Endpoint) => readonly RowAction[];
  readonly opened: ReactNode;
} {
  const { t } = useTranslation('webhooks');
  const [open, setOpen] = useState<{ readonly action: EndpointAction; readonly endpoint: Endpoint }>();
  const invalidates = [webhooksKey()];
  const onError = (error: Error) => toast.error(error.message);
  const test = useCall(webhooksApi.sendTest, {
    invalidates,
    onSuccess: () => toast.success(t('webhooks.tested')),
    onError,
  });
  const update = useCall(webhooksApi.updateEndpoint, {
    invalidates,
    onSuccess: ({ isOn }) => toast.success(t(isOn ? 'webhooks.turned_on' : 'webhooks.turned_off')),
  });
  const endPrevious = useCall(webhooksApi.endPreviousSecret, {
    invalidates,
    onSuccess: () => toast.success(t('webhooks.previous_ended')),
  });
  const remove = useCall(webhooksApi.deleteEndpoint, {
    invalidates: [webhooksKey('listEndpoints')],
    onSuccess: () => toast.success(t('webhooks.deleted')),
  });
  const onClose = () => setOpen(undefined);
  const openDialog = (endpoint: Endpoint, action: EndpointAction) => () => setOpen({ action, endpoint });
  return {
    actions: (endpoint) => [
      {
        label: t('webhooks.test'),
        refused: endpoint.isOn ? undefined : t('webhooks.is_off'),
        onClick: () => test.mutate({ endpointId: endpoint.id }),
      },
      { label: t('webhooks.edit'), onClick: openDialog(endpoint, 'edit') },
      { label: t('webhooks.rotate'), onClick: openDialog(endpoint, 'rotate') },
      ...(endpoint.previousUntil
        ? [{ label: t('webhooks.end_previous'), danger: true, onClick: openDialog(endpoint, 'endPrevious') }]
        : []),
      endpoint.isOn
        ? { label: t('webhooks.turn_off'), onClick: openDialog(endpoint, 'off') }
        : {
            label: t('webhooks.turn_on'),
            onClick: () => update.mutate({ endpointId: endpoint.id, isOn: true }, { onError }),
          },
      { label: t('webhooks.delete'), danger: true, onClick: openDialog(endpoint, 'delete') },
    ],
    opened: open && (
      <>
        {open.action === 'edit' && <EndpointPanel endpoint={open.endpoint} onClose={onClose} />}
        {open.action === 'rotate' && <RotatePanel endpoint={open.endpoint} onClose={onClose} />}
        <ConfirmDialog
          open={open.action === 'endPrevious'}
          tone="danger"
          title={t('webhooks.end_previous_ask')}
          consequences={[t('webhooks.end_previous_effect')]}
          confirmLabel={t('webhooks.end_previous')}
          onConfirm={() => endPrevious.mutateAsync({ endpointId: open.endpoint.id })}
          onClose={onClose}
        >
          {open.endpoint.url}
        </ConfirmDialog>
        <ConfirmDialog
          open={open.action === 'off'}
          title={t('webhooks.turn_off_ask')}
          consequences={[t('webhooks.turn_off_missed'), t('webhooks.turn_off_parked')]}
          confirmLabel={t('webhooks.turn_off_confirm')}
          onConfirm={() => update.mutateAsync({ endpointId: open.endpoint.id, isOn: false })}
          onClose={onClose}
        >
          {open.endpoint.url}
        </ConfirmDialog>
        <ConfirmDialog
          open={open.action === 'delete'}
          title={t('webhooks.delete_ask')}
          consequences={[t('webhooks.delete_lost')]}
          confirmLabel={t('webhooks.delete')}
          tone="danger"
          onConfirm={async () => {
            await remove.mutateAsync({ endpointId: open.endpoint.id });
            onDeleted?.();
          }}
          onClose={onClose}
        >
          {open.endpoint.url}
        </ConfirmDialog>
      </>
    ),
  };
}
