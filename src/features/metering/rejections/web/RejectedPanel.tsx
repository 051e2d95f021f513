// One rejected event: its reason, how to fix it, its editable JSON, and the result of resending it.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { isId } from '#kernel/ids.ts';
import { indentedJson, readJson } from '#kernel/parse-json.ts';
import { finished } from '#platform/web/form/problems.ts';
import { TextBox } from '#platform/web/form/TextBox.tsx';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { CodeBlock } from '#platform/web/ui/CodeBlock.tsx';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { Moment } from '#platform/web/ui/Money.tsx';
import { QueryState } from '#platform/web/ui/QueryState.tsx';
import { PathName } from '#platform/web/ui/PathName.tsx';
import { SidePanel } from '#platform/web/ui/SidePanel.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import type { Rejected, RejectedDetail, Replayed } from '../contract.ts';
import { callsOf, rejectionsKey, type Reader } from './api.ts';
import { stateTones, useFixHint, useReasonName } from './reasons.ts';

type RejectedPanelProps = {
  readonly reader: Reader;
  readonly rejectedId: string | undefined;
  readonly onClose: () => void;
  readonly onDismiss: (id: Rejected['id']) => void;
};

export function RejectedPanel({ reader, rejectedId, onClose, onDismiss }: RejectedPanelProps) {
  const known = isId('rej', rejectedId) ? rejectedId : undefined;
  return known === undefined ? null : (
    <Opened key={known} reader={reader} rejectedId={known} onClose={onClose} onDismiss={onDismiss} />
  );
}

function Opened({
  reader,
  rejectedId,
  onClose,
  onDismiss,
}: RejectedPanelProps & { readonly rejectedId: Rejected['id'] }) {
  const { t } = useTranslation('rejections');
  const query = useQuery(callsOf[reader].get({ rejectedId }));
  const [edited, setEdited] = useState<string>();
  const replay = useCall(callsOf[reader].replay, { invalidates: [rejectionsKey()] });
  const one = query.data;
  const original = one ? indentedJson(one.raw) : '';
  const isMended = edited !== undefined && edited !== original;
  const read = readJson(edited ?? original);
  const canSend = one !== undefined && one.state !== 'replayed' && one.isComplete;
  const send = () => {
    if ('value' in read) replay.mutate({ rejectedId, ...(isMended && { event: read.value }) });
  };
  return (
    <SidePanel
      open
      title={one?.eventId ?? t('rejections.no_id')}
      onClose={onClose}
      width={680}
      unsaved={isMended && replay.data?.outcome !== 'accepted'}
      {...(one &&
        one.state !== 'replayed' && {
          footer: (
            <>
              {one.state === 'open' && (
                <Button
                  aria-haspopup="dialog"
                  onClick={() => onDismiss(rejectedId)}
                  sx={{ marginInlineEnd: 'auto' }}
                >
                  {t('rejections.dismiss_event')}
                </Button>
              )}
              {isMended && <Button onClick={() => setEdited(undefined)}>{t('rejections.reset')}</Button>}
              <Button
                variant="contained"
                disabled={!canSend || !('value' in read)}
                loading={replay.isPending}
                onClick={send}
              >
                {t(isMended ? 'rejections.replay_mended' : 'rejections.replay_event')}
              </Button>
            </>
          ),
        })}
    >
      <QueryState query={query}>
        {(detail) => (
          <Stack sx={{ gap: 3 }}>
            <Result replayed={replay.data} error={replay.error} />
            <About one={detail} reader={reader} />
            {canSend ? (
              <TextBox
                name="event"
                label={t('rejections.event')}
                help={t('rejections.event_help')}
                rows={10}
                code
                value={edited ?? original}
                problem={
                  'reason' in read ? finished(t('rejections.no_json', { reason: read.reason })) : undefined
                }
                onChange={setEdited}
              />
            ) : (
              <StoredEvent one={detail} />
            )}
          </Stack>
        )}
      </QueryState>
    </SidePanel>
  );
}

/** The result of resending the event. */
function Result({ replayed, error }: { replayed: Replayed | undefined; error: Error | null }) {
  const { t } = useTranslation('rejections');
  if (error) return <Alert severity="error">{error.message}</Alert>;
  if (!replayed) return null;
  if (replayed.outcome === 'rejected')
    return (
      <Alert severity="warning" role="status">
        {t('rejections.rejected_again', { message: replayed.message ?? replayed.code ?? '' })}
      </Alert>
    );
  return (
    <Alert severity="success" role="status">
      {t(replayed.outcome === 'accepted' ? 'rejections.accepted' : 'rejections.duplicate')}
    </Alert>
  );
}

function About({ one, reader }: { one: RejectedDetail; reader: Reader }) {
  const { t } = useTranslation('rejections');
  const format = useFormat();
  const nameOf = useReasonName();
  const mend = useFixHint()(one.code);
  return (
    <>
      {one.state !== 'replayed' && (
        <Alert severity="warning">
          <Typography variant="subtitle2" component="p">
            {nameOf(one.code)}
          </Typography>
          {one.message}
          {mend !== undefined && (
            <Box component="p" sx={{ margin: '8px 0 0' }}>
              <strong>{t('rejections.mend')}</strong> {mend}
            </Box>
          )}
        </Alert>
      )}
      <Facts
        items={[
          [
            t('rejections.column_state'),
            <StatusBadge
              key="state"
              tone={stateTones[one.state]}
              label={t(`rejections.state_${one.state}`)}
            />,
          ],
          ...(reader === 'admin' && one.organization !== null
            ? [[t('rejections.column_organization'), one.organization] as const]
            : []),
          [t('rejections.column_key'), one.keyName ?? one.keyId],
          ...(one.source === null
            ? []
            : [[t('rejections.column_source'), <PathName key="source">{one.source}</PathName>] as const]),
          ...(one.type === null ? [] : [[t('rejections.column_type'), one.type] as const]),
          ...(one.subject === null ? [] : [[t('rejections.column_subject'), one.subject] as const]),
          [t('rejections.column_times'), format.number(one.times)],
          [
            t('rejections.column_firstReceivedAt'),
            <Moment key="first" at={one.firstReceivedAt} as="dateTime" />,
          ],
          [
            t('rejections.column_lastReceivedAt'),
            <Moment key="last" at={one.lastReceivedAt} as="dateTime" />,
          ],
        ]}
      />
    </>
  );
}

/** An event that can no longer be resent, as received and as counted. */
function StoredEvent({ one }: { one: RejectedDetail }) {
  const { t } = useTranslation('rejections');
  return (
    <>
      {!one.isComplete && <Alert severity="info">{t('rejections.cut')}</Alert>}
      {one.repaired !== null && (
        <Stack sx={{ gap: 1 }}>
          <Typography variant="subtitle2" component="h3">
            {t('rejections.repaired')}
          </Typography>
          <CodeBlock code={indentedJson(one.repaired)} label={t('rejections.repaired')} />
        </Stack>
      )}
      <Stack sx={{ gap: 1 }}>
        <Typography variant="subtitle2" component="h3">
          {t('rejections.as_came')}
        </Typography>
        <CodeBlock code={indentedJson(one.raw)} label={t('rejections.as_came')} />
      </Stack>
    </>
  );
}
