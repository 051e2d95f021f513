// The form that creates or changes an event stream, in its panel. A change is rejected if another user has
// changed the stream in the meantime.
import { useCall } from '#platform/web/api/queries.ts';
import { FormPanel } from '#platform/web/form/FormPanel.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import type { EventStream } from '../contract.ts';
import { eventStreamsApi, eventStreamsKey } from './api.ts';
import { MessageFields } from './MessageFields.tsx';
import { changesOf, fieldsOf, newStreamOf, streamFields, type StreamFields } from './stream-fields.ts';
import { StreamSourceFields } from './StreamSourceFields.tsx';

export type EventStreamEditorProps = {
  /** The event stream to change; undefined to create one. */
  readonly stream?: EventStream;
  readonly onClose: () => void;
  readonly onSaved: (saved: EventStream) => void;
};

export function EventStreamEditor({ stream, onClose, onSaved }: EventStreamEditorProps) {
  const { t } = useTranslation('eventstreams');
  const form = useZodForm(streamFields, fieldsOf(stream));
  const invalidates = [eventStreamsKey()];
  const create = useCall(eventStreamsApi.createEventStream, { invalidates });
  const update = useCall(eventStreamsApi.updateEventStream, { invalidates });
  const submit = async (fields: StreamFields) => {
    const saved = stream
      ? await update.mutateAsync(changesOf(stream, fields))
      : await create.mutateAsync(newStreamOf(fields));
    toast.success(t(stream ? 'eventstreams.saved' : 'eventstreams.created', { name: fields.name }));
    onSaved(saved);
  };
  const title = stream ? t('eventstreams.edit_title', { name: stream.name }) : t('eventstreams.add');
  return (
    <FormPanel
      form={form}
      title={title}
      submitLabel={t(stream ? 'ui.save' : 'eventstreams.create')}
      isEdit={stream !== undefined}
      width={860}
      onSubmit={submit}
      onClose={onClose}
    >
      <StreamSourceFields form={form} stream={stream} />
      <MessageFields form={form} stream={stream} />
    </FormPanel>
  );
}
