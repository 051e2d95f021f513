// Asks before a batch, with what it touches: subscribers, usage that no bill has yet, and what cannot be deleted.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import List from '@mui/material/List';
import ListItem from '@mui/material/ListItem';
import ListItemText from '@mui/material/ListItemText';
import Stack from '@mui/material/Stack';
import { useQuery } from '@tanstack/react-query';
import { ConfirmDialog } from '#platform/web/ui/ConfirmDialog.tsx';
import { Modal } from '#platform/web/ui/Modal.tsx';
import { QueryState } from '#platform/web/ui/QueryState.tsx';
import { useFormat } from '#platform/web/use-format.ts';
import type { ServiceImpact } from '#features/catalogue/contract.ts';
import { catalogueQueries } from './api.ts';
import type { Batch } from './service-form.ts';
import { useCatalogueTexts } from './texts.ts';

export type BatchDialogProps = {
  readonly batch: Batch;
  /** Does it to these. */
  readonly onConfirm: (batch: Batch) => Promise<void>;
  readonly onClose: () => void;
};

export function BatchDialog({ batch, onConfirm, onClose }: BatchDialogProps) {
  const t = useCatalogueTexts();
  const { action, services } = batch;
  // Always asked anew: somebody may have subscribed since.
  const query = useQuery({ ...catalogueQueries.batchImpact({ ids: services.map((service) => service.id), action }), staleTime: 0, gcTime: 0 });
  if (!query.data) return <Modal open width="xs" title={t('catalogue.impact_asking')} onClose={onClose}><QueryState query={query}>{() => null}</QueryState></Modal>;
  return <Ask batch={batch} impact={query.data.services} onConfirm={onConfirm} onClose={onClose} />;
}

function Ask({ batch, impact, onConfirm, onClose }: BatchDialogProps & { impact: readonly ServiceImpact[] }) {
  const t = useCatalogueTexts();
  const format = useFormat();
  const { action, services } = batch;
  const blocked = action === 'delete' ? impact.filter((one) => !one.canDelete) : [];
  const going = new Set(impact.filter((one) => action !== 'delete' || one.canDelete).map((one) => one.id));
  // What was ever subscribed stays; it can be taken off the shelf instead.
  const onlyBlocked = going.size === 0 && blocked.length > 0;
  const does = onlyBlocked ? 'deactivate' : action;
  const chosen = services.filter((service) => (onlyBlocked ? true : going.has(service.id)));
  const [first] = services;
  // used as: 'catalogue.batch_*'
  const title = action === 'delete' && services.length === 1 && first ? t('catalogue.delete_ask_one', { name: first.name }) : t(`catalogue.batch_${action}_ask`, { count: format.number(services.length) });
  return (
    <ConfirmDialog
      open
      title={title}
      consequences={does === 'delete' ? [t('catalogue.delete_gone')] : [t(does === 'activate' ? 'catalogue.activate_shows' : 'catalogue.deactivate_hides')]}
      confirmLabel={t(`catalogue.batch_${does}_button`, { count: format.number(chosen.length) })}
      tone={does === 'delete' ? 'danger' : 'primary'}
      proof={does === 'delete' ? 'tick' : 'ask'}
      onConfirm={() => onConfirm({ action: does, services: chosen })}
      onClose={onClose}
    >
      <Stack sx={{ gap: 1.5 }}>
        {blocked.length > 0 && <Alert severity="warning">{t(onlyBlocked ? 'catalogue.impact_all_blocked' : 'catalogue.impact_blocked', { blocked: format.number(blocked.length) })}</Alert>}
        <ImpactList impact={impact} isDelete={action === 'delete'} />
      </Stack>
    </ConfirmDialog>
  );
}

function ImpactList({ impact, isDelete }: { impact: readonly ServiceImpact[]; isDelete: boolean }) {
  const t = useCatalogueTexts();
  const format = useFormat();
  return (
    <List dense disablePadding aria-label={t('catalogue.impact')} tabIndex={0} sx={{ maxHeight: 260, overflow: 'auto', border: '1px solid', borderColor: 'divider', borderRadius: '5px' }}>
      {impact.map((one) => (
        <ListItem key={one.id} divider>
          <ListItemText
            primary={one.name}
            secondary={<>{t('catalogue.impact_of', { subscribers: format.number(one.subscribers), events: format.number(one.events) })}{isDelete && !one.canDelete && <Box component="span" sx={{ display: 'block', color: 'warning.main' }}>{t('catalogue.impact_stays')}</Box>}</>}
            slotProps={{ primary: { variant: 'body2', sx: { overflowWrap: 'anywhere' } }, secondary: { variant: 'caption', className: 'tabular' } }}
          />
        </ListItem>
      ))}
    </List>
  );
}
