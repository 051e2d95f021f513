// Where an event stream reads, with which credentials, and what.
import Box from '@mui/material/Box';
import { useWatch } from 'react-hook-form';
import { FieldGroup, pairs, whole } from '#platform/web/form/FieldGroup.tsx';
import { SelectField } from '#platform/web/form/SelectField.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import type { FormOf } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { saslMechanisms, starts, streamKinds, type EventStream, type StreamKind } from '../contract.ts';
import { fitsCredentials } from '../rules.ts';
import { credentialChoices, secretsOf, type StreamFields } from './stream-fields.ts';

export type Part = {
  readonly form: FormOf<StreamFields, StreamFields>;
  readonly stream: EventStream | undefined;
};

const examples: Readonly<Record<StreamKind, string>> = {
  nats: 'tls://nats.example.com:4222',
  kafka: 'kafka+tls://kafka.example.com:9093',
  mqtt: 'mqtts://mqtt.example.com:8883',
  files: 's3://usage/daily',
};

export function StreamSourceFields({ form, stream }: Part) {
  const { t } = useTranslation('eventstreams');
  const kind = useWatch({ control: form.control, name: 'options.kind' });
  return (
    <FieldGroup title={t('eventstreams.section_source')}>
      <Box sx={pairs}>
        <TextField form={form} name="name" label={t('eventstreams.name')} autoComplete="off" required />
        {/* used as: 'eventstreams.kind_*', 'eventstreams.start_*' */}
        <SelectField
          form={form}
          name="options.kind"
          label={t('eventstreams.kind')}
          disabled={stream !== undefined}
          options={streamKinds.map((value) => ({ value, label: t(`eventstreams.kind_${value}`) }))}
        />
        <Box sx={whole}>
          <TextField
            form={form}
            name="address"
            label={t('eventstreams.address')}
            help={t(kind === 'files' ? 'eventstreams.address_files_help' : 'eventstreams.address_help', {
              example: examples[kind],
            })}
            autoComplete="off"
            required
          />
        </Box>
        <PlaceFields form={form} kind={kind} />
        {kind !== 'mqtt' && (
          <SelectField
            form={form}
            name="start"
            label={t('eventstreams.start')}
            disabled={stream?.hasRead === true}
            options={starts.map((value) => ({ value, label: t(`eventstreams.start_${value}`) }))}
          />
        )}
        <CredentialFields form={form} stream={stream} kind={kind} />
        {kind !== 'files' && (
          <Box sx={whole}>
            <TextField
              form={form}
              name="authority"
              label={t('eventstreams.authority')}
              help={t('eventstreams.authority_help')}
              rows={2}
              code
            />
          </Box>
        )}
      </Box>
    </FieldGroup>
  );
}

function PlaceFields({ form, kind }: Pick<Part, 'form'> & { readonly kind: StreamKind }) {
  const { t } = useTranslation('eventstreams');
  if (kind === 'nats')
    return (
      <>
        <TextField
          form={form}
          name="options.stream"
          label={t('eventstreams.nats_stream')}
          autoComplete="off"
          required
        />
        <TextField
          form={form}
          name="options.subject"
          label={t('eventstreams.nats_subject')}
          help={t('eventstreams.nats_subject_help')}
          autoComplete="off"
        />
        <TextField
          form={form}
          name="options.consumer"
          label={t('eventstreams.nats_consumer')}
          help={t('eventstreams.nats_consumer_help')}
          autoComplete="off"
          required
        />
      </>
    );
  if (kind === 'files')
    return (
      <>
        <TextField
          form={form}
          name="options.region"
          label={t('eventstreams.files_region')}
          help={t('eventstreams.files_bucket_help')}
          autoComplete="off"
        />
        <TextField
          form={form}
          name="options.endpoint"
          label={t('eventstreams.files_endpoint')}
          help={t('eventstreams.files_endpoint_help')}
          autoComplete="off"
        />
      </>
    );
  if (kind === 'kafka')
    return (
      <>
        <TextField
          form={form}
          name="options.topic"
          label={t('eventstreams.kafka_topic')}
          autoComplete="off"
          required
        />
        <TextField
          form={form}
          name="options.group"
          label={t('eventstreams.kafka_group')}
          help={t('eventstreams.kafka_group_help')}
          autoComplete="off"
          required
        />
      </>
    );
  return (
    <>
      <TextField
        form={form}
        name="options.filter"
        label={t('eventstreams.mqtt_filter')}
        help={t('eventstreams.mqtt_filter_help')}
        autoComplete="off"
        required
      />
      <SelectField
        form={form}
        name="options.version"
        label={t('eventstreams.mqtt_version')}
        options={(['5', '3.1.1'] as const).map((value) => ({ value, label: value }))}
      />
    </>
  );
}

function CredentialFields({ form, stream, kind: streamKind }: Part & { readonly kind: StreamKind }) {
  const { t } = useTranslation('eventstreams');
  const kind = useWatch({ control: form.control, name: 'credentials.kind' });
  const hasStored = stream !== undefined && stream.credentials !== 'none';
  const labels = {
    user: t(streamKind === 'files' ? 'eventstreams.access_key' : 'eventstreams.user'),
    password: t(streamKind === 'files' ? 'eventstreams.secret_key' : 'eventstreams.password'),
    token: t('eventstreams.token'),
    certificate: t('eventstreams.certificate'),
    key: t('eventstreams.key'),
  };
  return (
    <>
      {/* used as: 'eventstreams.credentials_*' */}
      <SelectField
        form={form}
        name="credentials.kind"
        label={t('eventstreams.credentials')}
        help={t('eventstreams.credentials_help')}
        options={credentialChoices
          .filter((value) => (value === 'kept' ? hasStored : fitsCredentials(streamKind, value)))
          .map((value) => ({
            value,
            label: t(
              streamKind === 'files' && value === 'basic'
                ? 'eventstreams.credentials_keys'
                : `eventstreams.credentials_${value}`,
            ),
          }))}
      />
      {secretsOf(kind).map((name) => (
        <TextField
          key={name}
          form={form}
          name={`credentials.${name}`}
          label={labels[name]}
          autoComplete="off"
          required
          {...(name === 'certificate' || name === 'key'
            ? { rows: 3, code: true }
            : name !== 'user' && { type: 'password' as const })}
        />
      ))}
      {streamKind === 'kafka' && kind === 'basic' && (
        <SelectField
          form={form}
          name="options.mechanism"
          label={t('eventstreams.mechanism')}
          options={saslMechanisms.map((value) => ({ value, label: value }))}
        />
      )}
    </>
  );
}
