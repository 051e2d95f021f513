// What programs hold of a quota now; a user may give it back when a program forgot to.
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import type { HeldReservation } from '#features/quotas/contract.ts';
import { useLive } from '#platform/web/live.ts';
import { useCall } from '#platform/web/queries.ts';
import { toast } from '#platform/web/toasts.ts';
import { Modal } from '#platform/web/ui/Modal.tsx';
import { Moment } from '#platform/web/ui/Money.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { useFormat } from '#platform/web/use-format.ts';
import { quotasApi, quotasKey, quotasQueries } from './api.ts';
import type { Quota } from './QuotaMeter.tsx';
import { useQuotasTexts } from './texts.ts';

export type ReservationsDialogProps = { readonly quota: Quota; readonly mayRelease: boolean; readonly onClose: () => void; readonly onChange?: () => void };

export function ReservationsDialog({ quota, mayRelease, onClose, onChange }: ReservationsDialogProps) {
  const t = useQuotasTexts();
  const format = useFormat();
  const query = useQuery({ ...quotasQueries.listReservations({ subscriptionId: quota.subscriptionId }), staleTime: 0 });
  useLive('usage', [quotasKey('listReservations')]);
  const release = useCall(quotasApi.releaseReservation, { invalidates: [quotasKey()], onSuccess: () => onChange?.() });
  const giveBack = ({ id, quantity }: HeldReservation) => release.mutate({ reservationId: id }, { onSuccess: () => void toast.success(t('quotas.released', { quantity: format.quantity(quantity, quota.unit) })) });
  return (
    <Modal open title={t('quotas.reserved_title', { service: quota.serviceName })} onClose={onClose}>
      <Stack sx={{ gap: 2, paddingBottom: 1 }}>
        <Typography variant="body2" color="textSecondary">{t('quotas.reserved_lead')}</Typography>
        {release.error && <Alert severity="error">{release.error.message}</Alert>}
        <QueryState query={query} skeleton={<Lines count={3} />}>
          {({ items, total }) => items.length === 0
            ? <Typography variant="body2" role="status">{t('quotas.reserved_none')}</Typography>
            : (
              <>
                <TableContainer tabIndex={0} role="region" aria-label={t('quotas.reserved_table')}>
                  <Table size="small" aria-label={t('quotas.reserved_table')}>
                    <TableHead>
                      <TableRow>
                        <TableCell>{t('quotas.reserved_reference')}</TableCell>
                        <TableCell align="right">{t('quotas.reserved_quantity')}</TableCell>
                        <TableCell>{t('quotas.reserved_expires')}</TableCell>
                        {mayRelease && <TableCell>{t('quotas.release')}</TableCell>}
                      </TableRow>
                    </TableHead>
                    <TableBody>
                      {items.map((held) => <Held key={held.id} held={held} unit={quota.unit} isBusy={release.isPending} {...(mayRelease && { onRelease: () => giveBack(held) })} />)}
                    </TableBody>
                  </Table>
                </TableContainer>
                {total > items.length && <Typography variant="caption" color="textSecondary">{t('quotas.reserved_more', { shown: format.number(items.length), total: format.number(total) })}</Typography>}
              </>
            )}
        </QueryState>
      </Stack>
    </Modal>
  );
}

function Held({ held: { reference, quantity, createdAt, expiresAt }, unit, isBusy, onRelease }: { held: HeldReservation; unit: string; isBusy: boolean; onRelease?: () => void }) {
  const t = useQuotasTexts();
  const format = useFormat();
  return (
    <TableRow>
      <TableCell component="th" scope="row" sx={{ fontWeight: 400, overflowWrap: 'anywhere' }}>
        {reference || '–'}
        <Typography variant="caption" component="p" color="textSecondary">{t('quotas.reserved_made')} <Moment at={createdAt} as="dateTime" /></Typography>
      </TableCell>
      <TableCell align="right" className="tabular" sx={{ whiteSpace: 'nowrap' }}>{format.quantity(quantity, unit)}</TableCell>
      <TableCell sx={{ whiteSpace: 'nowrap' }}><Moment at={expiresAt} as="relative" /></TableCell>
      {onRelease && <TableCell><Button size="small" disabled={isBusy} onClick={onRelease} aria-label={t('quotas.release_of', { quantity: format.quantity(quantity, unit), reference })}>{t('quotas.release')}</Button></TableCell>}
    </TableRow>
  );
}
