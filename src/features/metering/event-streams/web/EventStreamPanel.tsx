// The panel of an event stream: what it reads, its backlog and errors, its next messages, and the rejected
// ones.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { useQuery } from '@tanstack/react-query';
import { isId, type Id } from '#kernel/ids.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { Moment } from '#platform/web/ui/Money.tsx';
import { RecordPanel } from '#platform/web/ui/RecordPanel.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import type { EventStream } from '../contract.ts';
import { eventStreamsApi, eventStreamsKey, eventStreamsQueries } from './api.ts';
import { EventStreamEditor } from './EventStreamEditor.tsx';
import { PreviewMessages } from './PreviewMessages.tsx';
import { RejectedMessages } from './RejectedMessages.tsx';
import { shownState, stateTones, useFailureText } from './stream-words.ts';

/** Stored in the address instead of an event stream's id. */
export const newStream = 'new';

export function EventStreamPanel({
  open,
  onOpen,
}: {
  open: string | undefined;
  onOpen: (stream: string | undefined) => void;
}) {
  const close = () => onOpen(undefined);
  if (open === newStream) return <EventStreamEditor onClose={close} onSaved={({ id }) => onOpen(id)} />;
  return isId('est', open) ? <Opened key={open} streamId={open} onClose={close} /> : null;
}

function Opened({ streamId, onClose }: { streamId: Id<'est'>; onClose: () => void }) {
  const { t } = useTranslation('eventstreams');
  const query = useQuery(eventStreamsQueries.getEventStream({ streamId }));
  const remove = useCall(eventStreamsApi.deleteEventStream, { invalidates: [eventStreamsKey()] });
  return (
    <RecordPanel
      query={query}
      title={t('eventstreams.stream')}
      editor={(stream, onEnd) => (
        <EventStreamEditor key={stream.id} stream={stream} onClose={onEnd} onSaved={onEnd} />
      )}
      deletion={({ name }) => ({
        title: t('eventstreams.delete_ask', { name }),
        consequences: [t('eventstreams.delete_gone'), t('eventstreams.delete_again')],
        confirmLabel: t('eventstreams.delete'),
        onConfirm: async () => {
          await remove.mutateAsync({ streamId });
          toast.success(t('eventstreams.deleted', { name }));
          onClose();
        },
      })}
      onClose={onClose}
    >
      {(stream) => (
        <Stack sx={{ gap: 3 }}>
          <State stream={stream} />
          <Actions stream={stream} />
          <RejectedMessages streamId={stream.id} />
        </Stack>
      )}
    </RecordPanel>
  );
}

function State({ stream }: { stream: EventStream }) {
  const { t } = useTranslation('eventstreams');
  const format = useFormat();
  const failureText = useFailureText();
  const shown = shownState(stream);
  const { failure, lag, options } = stream;
  return (
    <Box>
      {failure && (
        <Alert severity="error" sx={{ marginBottom: 2, overflowWrap: 'anywhere' }}>
          {failureText(failure)}
        </Alert>
      )}
      <Facts
        items={[
          // used as: 'eventstreams.state_*', 'eventstreams.kind_*', 'eventstreams.format_*'
          [
            t('eventstreams.state'),
            <StatusBadge key="state" tone={stateTones[shown]} label={t(`eventstreams.state_${shown}`)} />,
          ],
          ...(failure
            ? [
                [
                  t('eventstreams.next_try'),
                  <Moment key="next" at={stream.nextTryAt} as="dateTime" />,
                ] as const,
              ]
            : []),
          [
            t('eventstreams.kind'),
            [t(`eventstreams.kind_${options.kind}`), placeOf(options)]
              .filter((each) => each !== '')
              .join(' · '),
          ],
          [t('eventstreams.address'), stream.address],
          [t('eventstreams.format'), t(`eventstreams.format_${stream.format}`)],
          [t('eventstreams.lag'), lag === null ? '–' : format.number(lag)],
          [t('eventstreams.rate'), format.number(stream.eventsPerMinute)],
          [t('eventstreams.messages'), format.number(stream.messages)],
          [t('eventstreams.events'), format.number(stream.events)],
          [t('eventstreams.duplicates'), format.number(stream.duplicates)],
          ...(stream.lastMessageAt
            ? [
                [
                  t('eventstreams.last_message'),
                  <Moment key="last" at={stream.lastMessageAt} as="dateTime" />,
                ] as const,
              ]
            : []),
        ]}
      />
    </Box>
  );
}

/** The stream, topic or queue that is read. */
function placeOf(options: EventStream['options']): string {
  if (options.kind === 'nats')
    return options.subject === '' ? options.stream : `${options.stream} (${options.subject})`;
  if (options.kind === 'files') return options.endpoint === '' ? options.region : options.endpoint;
  return options.kind === 'kafka' ? options.topic : options.filter;
}

function Actions({ stream }: { stream: EventStream }) {
  const { t } = useTranslation('eventstreams');
  const invalidates = [eventStreamsKey()];
  const { id: streamId, name } = stream;
  const isPaused = stream.state === 'paused';
  const preview = useCall(eventStreamsApi.previewEventStream);
  const begin = useCall(eventStreamsApi.startEventStream, {
    invalidates,
    onSuccess: () => toast.success(t('eventstreams.started', { name })),
  });
  const pause = useCall(eventStreamsApi.pauseEventStream, {
    invalidates,
    onSuccess: () => toast.success(t('eventstreams.paused', { name })),
  });
  return (
    <Stack sx={{ gap: 2 }}>
      <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
        <Button
          variant={isPaused ? 'contained' : 'outlined'}
          loading={begin.isPending || pause.isPending}
          onClick={() => (isPaused ? begin : pause).mutate({ streamId })}
        >
          {t(isPaused ? 'eventstreams.start_reading' : 'eventstreams.pause')}
        </Button>
        <Button variant="outlined" loading={preview.isPending} onClick={() => preview.mutate({ streamId })}>
          {t('eventstreams.preview')}
        </Button>
      </Stack>
      {preview.data && <PreviewMessages tried={preview.data} />}
    </Stack>
  );
}
