// The e-mails that a sandbox would have sent: a list, and one of them as its recipient would see it.
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import type { Id } from '#kernel/ids.ts';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { Modal } from '#platform/web/ui/Modal.tsx';
import { Moment } from '#platform/web/ui/Money.tsx';
import { useTableState } from '#platform/web/ui/table-state.ts';
import type { SandboxMail } from '../contract.ts';
import { sandboxesQueries } from './api.ts';

const refetchMs = 10_000;

export function SandboxMails({ sandboxId }: { readonly sandboxId: Id<'sbx'> }) {
  const { t } = useTranslation('sandboxes');
  const [read, setRead] = useState<SandboxMail>();
  const state = useTableState({ filters: {}, sort: '-at', prefix: 'mail_' });
  const query = usePagedQuery({
    ...sandboxesQueries.listSandboxMails({ sandboxId, ...state.query }),
    refetchInterval: refetchMs,
  });
  return (
    <>
      <DataTable
        label={t('sandboxes.mails_title')}
        title={t('sandboxes.mails_title')}
        columns={[
          {
            key: 'subject',
            label: t('sandboxes.mail_subject'),
            card: 'title',
            render: ({ subject }) => subject,
          },
          { key: 'to', label: t('sandboxes.mail_to'), render: ({ to }) => to },
          {
            key: 'at',
            label: t('sandboxes.mail_at'),
            sortable: true,
            render: ({ at }) => <Moment at={at} as="dateTime" />,
          },
        ]}
        query={query}
        state={state}
        rowKey={({ id }) => id}
        rowName={({ subject }) => subject}
        searchLabel={t('sandboxes.mails_search')}
        empty={<EmptyState title={t('sandboxes.mails_empty')} />}
        onRowClick={setRead}
      />
      {read && (
        <Modal open title={read.subject} width="md" onClose={() => setRead(undefined)}>
          <Facts
            items={[
              [t('sandboxes.mail_to'), read.to],
              [t('sandboxes.mail_at'), <Moment key="at" at={read.at} as="dateTime" />],
            ]}
          />
          <Box sx={{ marginTop: 2 }}>
            <Typography
              component="pre"
              variant="body2"
              sx={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', fontFamily: 'inherit', margin: 0 }}
            >
              {read.text}
            </Typography>
          </Box>
        </Modal>
      )}
    </>
  );
}
