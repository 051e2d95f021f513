// Messages that are not valid usage, each with its reason, to be retried or dropped.
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import type { Id } from '#kernel/ids.ts';
import { indentedJson } from '#kernel/parse-json.ts';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { CodeBlock } from '#platform/web/ui/CodeBlock.tsx';
import { ConfirmDialog } from '#platform/web/ui/ConfirmDialog.tsx';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { Modal } from '#platform/web/ui/Modal.tsx';
import { Moment } from '#platform/web/ui/Money.tsx';
import { useTableState } from '#platform/web/ui/table-state.ts';
import type { Rejected } from '../contract.ts';
import { eventStreamsApi, eventStreamsKey, eventStreamsQueries } from './api.ts';

export function RejectedMessages({ streamId }: { streamId: Id<'est'> }) {
  const { t } = useTranslation('eventstreams');
  const format = useFormat();
  const [dropped, setDropped] = useState<Rejected | 'all'>();
  const [shown, setShown] = useState<Rejected>();
  const state = useTableState({ filters: {}, sort: '-receivedAt', prefix: 'r' });
  const invalidates = [eventStreamsKey()];
  const query = usePagedQuery(eventStreamsQueries.listRejectedMessages({ streamId, ...state.query }));
  const retry = useCall(eventStreamsApi.retryRejectedMessages, {
    invalidates,
    onSuccess: ({ mended, rejected }) => {
      const summary = t('eventstreams.retried', {
        mended: format.number(mended),
        rejected: format.number(rejected),
      });
      if (rejected === 0) toast.success(summary);
      else toast.info(summary);
    },
  });
  const drop = useCall(eventStreamsApi.dropRejectedMessages, {
    invalidates,
    onSuccess: ({ dropped: count }) => toast.success(t('eventstreams.dropped', { count })),
  });
  const hasRows = (query.data?.total ?? 0) > 0;
  return (
    <>
      <DataTable
        label={t('eventstreams.rejected_title')}
        title={t('eventstreams.rejected_title')}
        actions={
          hasRows ? (
            <>
              <Button
                size="small"
                variant="outlined"
                loading={retry.isPending}
                onClick={() => retry.mutate({ streamId })}
              >
                {t('eventstreams.retry_all')}
              </Button>
              <Button aria-haspopup="dialog" size="small" color="error" onClick={() => setDropped('all')}>
                {t('eventstreams.drop_all')}
              </Button>
            </>
          ) : undefined
        }
        columns={useRejectedColumns()}
        query={query}
        state={state}
        rowKey={({ id }) => id}
        rowName={({ position }) => position}
        searchLabel={t('eventstreams.rejected_search')}
        onRowClick={setShown}
        rowActions={(row) => [
          {
            label: t('eventstreams.retry'),
            onClick: () => retry.mutate({ streamId, rejectedId: row.id }),
            refused: row.isComplete ? undefined : t('eventstreams.incomplete_note'),
          },
          { label: t('eventstreams.drop'), danger: true, onClick: () => setDropped(row) },
        ]}
        empty={<EmptyState title={t('eventstreams.rejected_empty')} />}
      />
      {shown && <Shown message={shown} onClose={() => setShown(undefined)} />}
      <ConfirmDialog
        open={dropped !== undefined}
        title={t(dropped === 'all' ? 'eventstreams.drop_all_ask' : 'eventstreams.drop_ask')}
        consequences={[t('eventstreams.drop_gone')]}
        confirmLabel={t(dropped === 'all' ? 'eventstreams.drop_all' : 'eventstreams.drop')}
        tone="danger"
        onConfirm={async () => {
          if (dropped !== undefined)
            await drop.mutateAsync({ streamId, ...(dropped !== 'all' && { rejectedId: dropped.id }) });
          setDropped(undefined);
        }}
        onClose={() => setDropped(undefined)}
      />
    </>
  );
}

function useRejectedColumns(): readonly Column<Rejected>[] {
  const { t } = useTranslation('eventstreams');
  const anywhere = { overflowWrap: 'anywhere' } as const;
  return [
    {
      key: 'reason',
      label: t('eventstreams.reason'),
      card: 'title',
      render: ({ message }) => (
        <Typography component="span" variant="inherit" sx={anywhere}>
          {message}
        </Typography>
      ),
    },
    {
      key: 'content',
      label: t('eventstreams.content'),
      render: ({ payload }) => (
        <Typography
          component="span"
          variant="inherit"
          sx={{ ...anywhere, fontFamily: 'monospace', fontSize: '0.8125rem' }}
        >
          {[...payload].length > 80 ? `${[...payload].slice(0, 80).join('')}…` : payload || '–'}
        </Typography>
      ),
    },
    {
      key: 'receivedAt',
      label: t('eventstreams.received'),
      sortable: true,
      render: ({ receivedAt }) => <Moment at={receivedAt} as="dateTime" />,
    },
  ];
}

function Shown({ message, onClose }: { message: Rejected; onClose: () => void }) {
  const { t } = useTranslation('eventstreams');
  return (
    <Modal
      open
      width="sm"
      title={message.position}
      onClose={onClose}
      actions={<Button onClick={onClose}>{t('ui.close')}</Button>}
    >
      <Stack sx={{ gap: 2, paddingBlock: 1 }}>
        <Typography variant="body2" sx={{ overflowWrap: 'anywhere' }}>
          {message.message}
        </Typography>
        <CodeBlock code={indentedJson(message.payload)} label={t('eventstreams.content')} />
        {!message.isComplete && (
          <Typography variant="caption" color="textSecondary">
            {t('eventstreams.incomplete_note')}
          </Typography>
        )}
      </Stack>
    </Modal>
  );
}
