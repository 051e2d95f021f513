// The result of a batch: how many users were changed, and the rejected ones with reasons and a retry.
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import List from '@mui/material/List';
import ListItem from '@mui/material/ListItem';
import ListItemText from '@mui/material/ListItemText';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import type { UserBatch } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Modal } from '#platform/web/ui/Modal.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { usersQueries } from './api.ts';

const shown = 100;

export function BatchResult({
  batch,
  onRetry,
  onUndo,
  onClose,
}: {
  batch: UserBatch;
  onRetry: () => void;
  onUndo: () => void;
  onClose: () => void;
}) {
  const { t } = useTranslation('users');
  const format = useFormat();
  const counts = {
    done: format.number(batch.done),
    unchanged: format.number(batch.unchanged),
    refused: format.number(batch.refused),
    left: format.number(batch.total - batch.done - batch.unchanged - batch.refused),
  };
  const buttons = (
    <>
      {batch.canUndo && <Button onClick={onUndo}>{t('users.undo_done')}</Button>}
      {batch.refused > 0 && batch.action !== 'resetPassword' && (
        <Button onClick={onRetry}>{t('users.retry', { count: counts.refused })}</Button>
      )}
      <Button variant="contained" onClick={onClose}>
        {t('ui.done')}
      </Button>
    </>
  );
  return (
    <Modal open title={t('users.result')} onClose={onClose} actions={buttons}>
      <Stack sx={{ gap: 2 }}>
        <Alert severity="warning" role="status">
          {t(batch.state === 'stopped' ? 'users.result_stopped' : 'users.result_counts', counts)}
        </Alert>
        {batch.refused > 0 && <Refused batch={batch} />}
      </Stack>
    </Modal>
  );
}

function Refused({ batch }: { batch: UserBatch }) {
  const { t } = useTranslation('users');
  const format = useFormat();
  const query = useQuery(usersQueries.listBatchRows({ batchId: batch.id, state: 'refused', limit: shown }));
  return (
    <QueryState query={query} skeleton={<Lines count={4} />}>
      {({ items, total }) => (
        <>
          <List
            dense
            disablePadding
            tabIndex={0}
            aria-label={t('users.result_refused')}
            sx={{ maxHeight: 320, overflow: 'auto' }}
          >
            {items.map((row) => (
              <ListItem key={row.id} disableGutters>
                <ListItemText
                  primary={
                    row.account === ''
                      ? row.name
                      : t('users.name_and_account', { name: row.name, account: row.account })
                  }
                  secondary={row.message}
                  slotProps={{ primary: { variant: 'body2' }, secondary: { variant: 'caption' } }}
                />
              </ListItem>
            ))}
          </List>
          {total > items.length && (
            <Typography variant="caption" color="textSecondary">
              {t('users.and_more', { count: format.number(total - items.length) })}
            </Typography>
          )}
        </>
      )}
    </QueryState>
  );
}
