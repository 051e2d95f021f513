// Asks for confirmation of a batch, with its effects: subscriptions, unbilled usage, and services that cannot
// be deleted.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import List from '@mui/material/List';
import ListItem from '@mui/material/ListItem';
import ListItemText from '@mui/material/ListItemText';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import type { Out } from '#kernel/contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { ConfirmDialog } from '#platform/web/ui/ConfirmDialog.tsx';
import { Modal } from '#platform/web/ui/Modal.tsx';
import { QueryState } from '#platform/web/ui/QueryState.tsx';
import { countOf } from '#platform/web/ui/use-chosen-rows.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import type { catalogue, ServiceImpact } from '../contract.ts';
import { catalogueQueries } from './api.ts';
import { wireOf, type Batch, type Services } from './service-form.ts';

export type BatchDialogProps = {
  readonly batch: Batch;
  /** Runs the batch on these services. */
  readonly onConfirm: (batch: Batch) => Promise<void>;
  readonly onClose: () => void;
};

type Impact = Out<typeof catalogue.batchImpact>;

export function BatchDialog({ batch, onConfirm, onClose }: BatchDialogProps) {
  const { t } = useTranslation('catalogue');
  // Never cached, because a customer may have subscribed in the meantime.
  const query = useQuery({ ...catalogueQueries.batchImpact(wireOf(batch)), staleTime: 0, gcTime: 0 });
  if (!query.data)
    return (
      <Modal open width="xs" title={t('catalogue.impact_asking')} onClose={onClose}>
        <QueryState query={query}>{() => null}</QueryState>
      </Modal>
    );
  return <BatchQuestion batch={batch} impact={query.data} onConfirm={onConfirm} onClose={onClose} />;
}

/** The services for which the batch is possible; with a filter the server decides. */
function possibleServices({ selection }: Batch, impact: Impact): Services {
  if ('filter' in selection) return selection;
  const going = new Set<string>(impact.services.filter((one) => one.canDelete).map((one) => one.id));
  return { rows: selection.rows.filter((service) => going.has(service.id)) };
}

function BatchQuestion({ batch, impact, onConfirm, onClose }: BatchDialogProps & { impact: Impact }) {
  const { t } = useTranslation('catalogue');
  const format = useFormat();
  const { action, selection } = batch;
  const blocked = action === 'delete' ? impact.blocked : 0;
  // A service that has ever had a subscription cannot be deleted; deactivating is offered instead.
  const onlyBlocked = blocked > 0 && blocked === impact.total;
  const effectiveAction = onlyBlocked ? 'deactivate' : action;
  const [only] = 'rows' in selection && selection.rows.length === 1 ? selection.rows : [];
  const more = impact.total - impact.services.length;
  // used as: 'catalogue.batch_*'
  const title =
    action === 'delete' && only
      ? t('catalogue.delete_ask_one', { name: only.name })
      : t(`catalogue.batch_${action}_ask`, { count: format.number(countOf(selection)) });
  return (
    <ConfirmDialog
      open
      title={title}
      consequences={
        effectiveAction === 'delete'
          ? [t('catalogue.delete_gone')]
          : [t(effectiveAction === 'activate' ? 'catalogue.activate_shows' : 'catalogue.deactivate_hides')]
      }
      confirmLabel={t(`catalogue.batch_${effectiveAction}_button`, {
        count: format.number(onlyBlocked ? impact.total : impact.total - blocked),
      })}
      tone={effectiveAction === 'delete' ? 'danger' : 'primary'}
      proof={effectiveAction === 'delete' ? 'tick' : 'ask'}
      onConfirm={() =>
        onConfirm({
          action: effectiveAction,
          selection: effectiveAction === 'delete' ? possibleServices(batch, impact) : selection,
        })
      }
      onClose={onClose}
    >
      <Stack sx={{ gap: 1.5 }}>
        {blocked > 0 && (
          <Alert severity="warning">
            {t(onlyBlocked ? 'catalogue.impact_all_blocked' : 'catalogue.impact_blocked', {
              blocked: format.number(blocked),
            })}
          </Alert>
        )}
        <ImpactList impact={impact.services} isDelete={action === 'delete'} />
        {more > 0 && (
          <Typography variant="caption" color="textSecondary">
            {t('catalogue.and_more', { count: format.number(more) })}
          </Typography>
        )}
      </Stack>
    </ConfirmDialog>
  );
}

function ImpactList({ impact, isDelete }: { impact: readonly ServiceImpact[]; isDelete: boolean }) {
  const { t } = useTranslation('catalogue');
  const format = useFormat();
  return (
    <List
      dense
      disablePadding
      aria-label={t('catalogue.impact')}
      tabIndex={0}
      sx={{
        maxHeight: 260,
        overflow: 'auto',
        border: '1px solid',
        borderColor: 'divider',
        borderRadius: '5px',
      }}
    >
      {impact.map((one) => (
        <ListItem key={one.id} divider>
          <ListItemText
            primary={one.name}
            secondary={
              <>
                {t('catalogue.impact_of', {
                  subscribers: format.number(one.subscribers),
                  events: format.number(one.events),
                })}
                {isDelete && !one.canDelete && (
                  <Box component="span" sx={{ display: 'block', color: 'warning.main' }}>
                    {t('catalogue.impact_stays')}
                  </Box>
                )}
              </>
            }
            slotProps={{
              primary: { variant: 'body2', sx: { overflowWrap: 'anywhere' } },
              secondary: { variant: 'caption', className: 'tabular' },
            }}
          />
        </ListItem>
      ))}
    </List>
  );
}
