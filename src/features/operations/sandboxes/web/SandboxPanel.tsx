// The panel of a sandbox: its clock and moving it, its contents, its mails; resetting and deleting it.
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { isId, type Id } from '#kernel/ids.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { ConfirmDialog } from '#platform/web/ui/ConfirmDialog.tsx';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { Moment } from '#platform/web/ui/Money.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { Secret } from '#platform/web/ui/Secret.tsx';
import { SidePanel } from '#platform/web/ui/SidePanel.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import type { Sandbox } from '../contract.ts';
import { sandboxesApi, sandboxesKey, sandboxesQueries } from './api.ts';
import { KeysHandOver, type Opened } from './KeysHandOver.tsx';
import { MoveClock } from './MoveClock.tsx';
import { NewSandbox } from './NewSandbox.tsx';
import { SandboxMails } from './SandboxMails.tsx';
import { isMoving, shownState, stateTones } from './sandbox-words.ts';

/** In the URL in place of a sandbox's id. */
export const newSandbox = 'new';
const movingMs = 1000;
const restingMs = 10_000;

export function SandboxPanel({
  open,
  onOpen,
}: {
  readonly open: string | undefined;
  readonly onOpen: (id: string | undefined) => void;
}) {
  const { t } = useTranslation('sandboxes');
  const [handOver, setHandOver] = useState<{ readonly opened: Opened; readonly news: string }>();
  const close = () => onOpen(undefined);
  if (handOver)
    return (
      <KeysHandOver
        {...handOver}
        onClose={() => {
          setHandOver(undefined);
          onOpen(handOver.opened.sandbox.id);
        }}
      />
    );
  if (open === newSandbox)
    return (
      <NewSandbox
        onClose={close}
        onMade={(opened) =>
          setHandOver({ opened, news: t('sandboxes.created', { name: opened.sandbox.name }) })
        }
      />
    );
  return isId('sbx', open) ? (
    <Shown
      key={open}
      sandboxId={open}
      onReset={(opened) =>
        setHandOver({ opened, news: t('sandboxes.reset_done', { name: opened.sandbox.name }) })
      }
      onClose={close}
    />
  ) : null;
}

function Shown({
  sandboxId,
  onReset,
  onClose,
}: {
  readonly sandboxId: Id<'sbx'>;
  readonly onReset: (opened: Opened) => void;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation('sandboxes');
  const [asked, setAsked] = useState<'reset' | 'delete'>();
  const query = useQuery({
    ...sandboxesQueries.getSandbox({ sandboxId }),
    refetchInterval: ({ state: { data } }) => (data && isMoving(data) ? movingMs : restingMs),
  });
  const invalidates = [sandboxesKey()];
  const reset = useCall(sandboxesApi.resetSandbox, { invalidates });
  const remove = useCall(sandboxesApi.deleteSandbox, { invalidates });
  const sandbox = query.data;
  const name = sandbox?.name ?? '';
  const busy = !sandbox || sandbox.state !== 'ready' || isMoving(sandbox);
  return (
    <SidePanel
      open
      title={sandbox?.name ?? t('sandboxes.sandbox')}
      width={720}
      onClose={onClose}
      footer={
        sandbox && (
          <>
            <Button
              aria-haspopup="dialog"
              color="error"
              onClick={() => setAsked('delete')}
              sx={{ marginInlineEnd: 'auto' }}
            >
              {t('sandboxes.delete')}
            </Button>
            <Button
              aria-haspopup="dialog"
              variant="outlined"
              disabled={busy}
              onClick={() => setAsked('reset')}
            >
              {t('sandboxes.reset')}
            </Button>
          </>
        )
      }
    >
      <QueryState query={query} skeleton={<Lines />}>
        {(shown) => (
          <Stack sx={{ gap: 3 }}>
            <Standing sandbox={shown} />
            <MoveClock sandbox={shown} />
            {shown.state === 'ready' && <SandboxMails sandboxId={sandboxId} />}
          </Stack>
        )}
      </QueryState>
      <ConfirmDialog
        open={asked === 'reset'}
        title={t('sandboxes.reset_ask', { name })}
        consequences={[t('sandboxes.reset_data'), t('sandboxes.reset_keys')]}
        confirmLabel={t('sandboxes.reset')}
        tone="danger"
        onConfirm={async () => onReset(await reset.mutateAsync({ sandboxId }))}
        onClose={() => setAsked(undefined)}
      />
      <ConfirmDialog
        open={asked === 'delete'}
        title={t('sandboxes.delete_ask', { name })}
        consequences={[t('sandboxes.delete_data'), t('sandboxes.delete_keys')]}
        confirmLabel={t('sandboxes.delete')}
        tone="danger"
        onConfirm={async () => {
          await remove.mutateAsync({ sandboxId });
          toast.success(t('sandboxes.deleted', { name }));
          onClose();
        }}
        onClose={() => setAsked(undefined)}
      />
    </SidePanel>
  );
}

function Standing({ sandbox }: { readonly sandbox: Sandbox }) {
  const { t } = useTranslation('sandboxes');
  const format = useFormat();
  const state = shownState(sandbox);
  const moment = (at: Date) => <Moment key={at.getTime()} at={at} as="dateTime" />;
  return (
    <Stack sx={{ gap: 2 }}>
      <Box>
        <Secret text={sandbox.address} label={t('sandboxes.address_copy')} />
      </Box>
      <Facts
        items={[
          // used as: 'sandboxes.state_*'
          [
            t('sandboxes.state'),
            <StatusBadge key="state" tone={stateTones[state]} label={t(`sandboxes.state_${state}`)} />,
          ],
          [t('sandboxes.clock'), moment(sandbox.clockAt)],
          [t('sandboxes.start'), moment(sandbox.startAt)],
          [t('sandboxes.customers'), format.number(sandbox.customers)],
          [t('sandboxes.bills'), format.number(sandbox.bills)],
          [t('sandboxes.mails'), format.number(sandbox.mails)],
          [t('sandboxes.last_used'), moment(sandbox.lastUsedAt)],
          [t('sandboxes.deleted_at'), moment(sandbox.deletedAt)],
          [t('sandboxes.created_by'), sandbox.createdBy],
        ]}
      />
    </Stack>
  );
}
