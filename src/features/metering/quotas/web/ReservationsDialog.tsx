// Active reservations of a quota; a user can release one that a program left behind.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import type { HeldReservation } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLive } from '#platform/web/live/live.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { Modal } from '#platform/web/ui/Modal.tsx';
import { Moment } from '#platform/web/ui/Money.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { quotasApi, quotasKey, quotasQueries } from './api.ts';
import type { Quota } from './QuotaMeter.tsx';

export type ReservationsDialogProps = {
  readonly quota: Quota;
  readonly mayRelease: boolean;
  readonly onClose: () => void;
  readonly onChange?: () => void;
};

export function ReservationsDialog({ quota, mayRelease, onClose, onChange }: ReservationsDialogProps) {
  const { t } = useTranslation('quotas');
  const format = useFormat();
  const query = useQuery({
    ...quotasQueries.listReservations({ subscriptionId: quota.subscriptionId }),
    staleTime: 0,
  });
  useLive('usage', [quotasKey('listReservations')]);
  const release = useCall(quotasApi.releaseReservation, {
    invalidates: [quotasKey()],
    onSuccess: () => onChange?.(),
  });
  const giveBack = ({ id, quantity }: HeldReservation) =>
    release.mutate(
      { reservationId: id },
      {
        onSuccess: () =>
          void toast.success(t('quotas.released', { quantity: format.quantity(quantity, quota.unit) })),
      },
    );
  return (
    <Modal open title={t('quotas.reserved_title', { service: quota.serviceName })} onClose={onClose}>
      <Stack sx={{ gap: 2, paddingBottom: 1 }}>
        <Typography variant="body2" color="textSecondary">
          {t('quotas.reserved_lead')}
        </Typography>
        {release.error && <Alert severity="error">{release.error.message}</Alert>}
        <QueryState query={query} skeleton={<Lines count={3} />}>
          {({ items, total }) =>
            items.length === 0 ? (
              <Typography variant="body2" role="status">
                {t('quotas.reserved_none')}
              </Typography>
            ) : (
              <>
                <Box
                  component="ul"
                  aria-label={t('quotas.reserved_list')}
                  sx={{ listStyle: 'none', margin: 0, padding: 0 }}
                >
                  {items.map((held) => (
                    <Held
                      key={held.id}
                      held={held}
                      unit={quota.unit}
                      isBusy={release.isPending}
                      {...(mayRelease && { onRelease: () => giveBack(held) })}
                    />
                  ))}
                </Box>
                {total > items.length && (
                  <Typography variant="caption" color="textSecondary">
                    {t('quotas.reserved_more', {
                      shown: format.number(items.length),
                      total: format.number(total),
                    })}
                  </Typography>
                )}
              </>
            )
          }
        </QueryState>
      </Stack>
    </Modal>
  );
}

function Held({
  held: { reference, quantity, createdAt, expiresAt },
  unit,
  isBusy,
  onRelease,
}: {
  held: HeldReservation;
  unit: string;
  isBusy: boolean;
  onRelease?: () => void;
}) {
  const { t } = useTranslation('quotas');
  const format = useFormat();
  return (
    <Box
      component="li"
      sx={{
        display: 'grid',
        gap: '4px 16px',
        alignItems: 'center',
        gridTemplateColumns: 'minmax(0, 1fr) auto',
        paddingBlock: 1,
        borderTop: '1px solid',
        borderColor: 'divider',
      }}
    >
      <Box sx={{ minWidth: 0 }}>
        <Typography variant="body2" component="p" className="tabular">
          <strong>{format.quantity(quantity, unit)}</strong>
        </Typography>
        {reference !== '' && (
          <Typography variant="body2" component="p" sx={{ overflowWrap: 'anywhere' }}>
            {reference}
          </Typography>
        )}
        <Typography variant="caption" component="p" color="textSecondary">
          {t('quotas.reserved_made')} <Moment at={createdAt} as="dateTime" /> · {t('quotas.reserved_expires')}{' '}
          <Moment at={expiresAt} as="dateTime" />
        </Typography>
      </Box>
      {onRelease && (
        <Button
          aria-haspopup="dialog"
          size="small"
          variant="outlined"
          disabled={isBusy}
          onClick={onRelease}
          aria-label={t('quotas.release_of', { quantity: format.quantity(quantity, unit), reference })}
        >
          {t('quotas.release')}
        </Button>
      )}
    </Box>
  );
}
