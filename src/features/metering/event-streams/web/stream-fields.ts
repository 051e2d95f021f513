// The fields of the event stream form, as text, and their conversion to what the server accepts.
import * as z from 'zod/mini';
import type { In } from '#kernel/contract.ts';
import { text } from '#kernel/shape.ts';
import {
  credentialKinds,
  formats,
  saslMechanisms,
  starts,
  streamKinds,
  type Credentials,
  type EventStream,
  type eventStreams,
  type Options,
} from '../contract.ts';

/** The choice of credentials in the form: a kind, or keeping the stored ones. */
export const credentialChoices = ['kept', ...credentialKinds] as const;
export type CredentialChoice = (typeof credentialChoices)[number];
const free = z.string().check(z.trim());
const pem = /-----BEGIN [A-Z ]+-----[\s\S]+-----END [A-Z ]+-----/;

export const streamFields = z
  .strictObject({
    name: text(80),
    address: text(2000),
    authority: free.check(z.refine((typed) => typed === '' || pem.test(typed), 'eventstreams.pem_wrong')),
    credentials: z.strictObject({
      kind: z.enum(credentialChoices),
      user: z.string(),
      password: z.string(),
      token: z.string(),
      certificate: free,
      key: free,
    }),
    options: z.strictObject({
      kind: z.enum(streamKinds),
      stream: free,
      subject: free,
      consumer: free,
      topic: free,
      group: free,
      mechanism: z.enum(saslMechanisms),
      filter: free,
      version: z.enum(['3.1.1', '5']),
      region: free,
      endpoint: free,
    }),
    format: z.enum(formats),
    expression: z.string(),
    start: z.enum(starts),
  })
  .check(
    z.check((context) => {
      const { options, credentials, format, expression } = context.value;
      const needed: [string[], string][] = neededOf(options.kind).map((name) => [
        ['options', name],
        options[name],
      ]);
      for (const name of secretsOf(credentials.kind)) needed.push([['credentials', name], credentials[name]]);
      if (format === 'mapped') needed.push([['expression'], expression.trim()]);
      for (const [path, value] of needed)
        if (value === '')
          context.issues.push({
            code: 'too_small',
            origin: 'string',
            minimum: 1,
            inclusive: true,
            input: value,
            path,
          });
      for (const name of ['certificate', 'key'] as const)
        if (credentials.kind === 'certificate' && credentials[name] !== '' && !pem.test(credentials[name]))
          context.issues.push({
            code: 'custom',
            message: 'eventstreams.pem_wrong',
            input: credentials[name],
            path: ['credentials', name],
          });
    }),
  );
export type StreamFields = z.output<typeof streamFields>;

function neededOf(kind: Options['kind']): readonly ('stream' | 'consumer' | 'topic' | 'group' | 'filter')[] {
  if (kind === 'nats') return ['stream', 'consumer'];
  if (kind === 'files') return [];
  return kind === 'kafka' ? ['topic', 'group'] : ['filter'];
}

type SecretName = 'user' | 'password' | 'token' | 'certificate' | 'key';
/** The fields of a kind of credentials. */
export function secretsOf(kind: CredentialChoice): readonly SecretName[] {
  if (kind === 'basic') return ['user', 'password'];
  if (kind === 'token') return ['token'];
  return kind === 'certificate' ? ['certificate', 'key'] : [];
}

/** An example of an expression. */
export const exampleExpression = `{
  "subject": subscription,
  "type": "traffic",
  "time": at,
  "data": { "value": bytes, "region": region }
}`;

/** The initial values of the form. */
export function fieldsOf(stream: EventStream | undefined): StreamFields {
  const options = stream?.options;
  const nats = options?.kind === 'nats' ? options : undefined;
  const kafka = options?.kind === 'kafka' ? options : undefined;
  const broker = options?.kind === 'mqtt' ? options : undefined;
  const files = options?.kind === 'files' ? options : undefined;
  return {
    name: stream?.name ?? '',
    address: stream?.address ?? '',
    authority: stream?.authority ?? '',
    credentials: {
      kind: stream && stream.credentials !== 'none' ? 'kept' : 'none',
      user: '',
      password: '',
      token: '',
      certificate: '',
      key: '',
    },
    options: {
      kind: options?.kind ?? 'nats',
      stream: nats?.stream ?? '',
      subject: nats?.subject ?? '',
      consumer: nats?.consumer ?? 'skytally',
      topic: kafka?.topic ?? '',
      group: kafka?.group ?? 'skytally',
      mechanism: kafka?.mechanism ?? 'SCRAM-SHA-512',
      filter: broker?.filter ?? '',
      version: broker?.version ?? '5',
      region: files?.region ?? '',
      endpoint: files?.endpoint ?? '',
    },
    format: stream?.format ?? 'cloudevents',
    expression: stream?.expression ?? '',
    start: stream?.start ?? 'earliest',
  };
}

function optionsOf({ options }: StreamFields): Options {
  const { kind, stream, subject, consumer, topic, group, mechanism, filter, version, region, endpoint } =
    options;
  if (kind === 'nats') return { kind, stream, subject, consumer };
  if (kind === 'files') return { kind, region, endpoint };
  return kind === 'kafka' ? { kind, topic, group, mechanism } : { kind, filter, version };
}

function credentialsOf({ credentials }: StreamFields): Credentials | undefined {
  const { kind, user, password, token, certificate, key } = credentials;
  if (kind === 'basic') return { kind, user, password };
  if (kind === 'token') return { kind, token };
  if (kind === 'certificate') return { kind, certificate, key };
  return kind === 'none' ? { kind } : undefined;
}

/** The request that creates an event stream. */
export const newStreamOf = (fields: StreamFields): In<typeof eventStreams.createEventStream> => ({
  name: fields.name,
  address: fields.address,
  authority: fields.authority,
  options: optionsOf(fields),
  credentials: credentialsOf(fields) ?? { kind: 'none' },
  format: fields.format,
  expression: fields.expression,
  start: fields.start,
});

/** The request that changes an event stream; stored credentials are kept unless others were entered. */
export function changesOf(
  { id, version }: EventStream,
  fields: StreamFields,
): In<typeof eventStreams.updateEventStream> {
  const { credentials: _credentials, ...settings } = newStreamOf(fields);
  const credentials = credentialsOf(fields);
  return { streamId: id, version, ...settings, ...(credentials && { credentials }) };
}
