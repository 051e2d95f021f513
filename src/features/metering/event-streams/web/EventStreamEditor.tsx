// The form of an event stream in its panel: makes one, or changes one unless another user changed it meanwhile.
import Button from '@mui/material/Button';
import { useCall } from '#platform/web/api/queries.ts';
import { Form, SubmitButton } from '#platform/web/form/Form.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { SidePanel } from '#platform/web/ui/SidePanel.tsx';
import type { EventStream } from '../contract.ts';
import { eventStreamsApi, eventStreamsKey } from './api.ts';
import { MessageFields } from './MessageFields.tsx';
import { changesOf, fieldsOf, newStreamOf, streamFields, type StreamFields } from './stream-fields.ts';
import { StreamSourceFields } from './StreamSourceFields.tsx';

const formId = 'event-stream';

export type EventStreamEditorProps = {
  /** The event stream to change; left out for a new one. */
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
    <SidePanel
      open
      title={title}
      width={860}
      onClose={onClose}
      unsaved={form.formState.isDirty && !form.formState.isSubmitSuccessful}
      footer={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <SubmitButton form={form} formId={formId} size="medium">
            {t(stream ? 'ui.save' : 'eventstreams.create')}
          </SubmitButton>
        </>
      }
    >
      <Form form={form} onSubmit={submit} id={formId} label={title}>
        <StreamSourceFields form={form} stream={stream} />
        <MessageFields form={form} stream={stream} />
      </Form>
    </SidePanel>
  );
}
