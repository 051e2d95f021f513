// Event streams: usage that the console itself reads from a message broker (NATS JetStream, Kafka, MQTT) or
// from files.
import * as z from 'zod/mini';
import { contract, nothing, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import { id, instant, pageOf, pageQuery, text } from '#kernel/shape.ts';

export const streamKinds = ['nats', 'kafka', 'mqtt', 'files'] as const;
export type StreamKind = (typeof streamKinds)[number];
export const maxStreams = 100;
/** The addresses of one stream, tried in turn. */
export const maxAddresses = 5;
/**
 * The maximum number of rejected messages kept per stream; beyond it, the stream stops reading, because a
 * message that is not kept must not be acknowledged.
 */
export const maxRejected = 10_000;
/**
 * The maximum number of bytes kept of a rejected message; of a longer one only the beginning is kept, and it
 * cannot be retried.
 */
export const maxKeptBytes = 64 * 1024;

const name = z.string().check(z.regex(/^[A-Za-z0-9_-]{1,100}$/));
const NatsOptions = z.strictObject({
  kind: z.literal('nats'),
  stream: name,
  /** The subjects of the stream to read; '' for all. */
  subject: z.union([z.literal(''), z.string().check(z.regex(/^[^\s]{1,200}$/))]),
  /** The durable consumer, created if it does not exist. */
  consumer: name,
});
export type NatsOptions = z.output<typeof NatsOptions>;

export const saslMechanisms = ['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'] as const;
const KafkaOptions = z.strictObject({
  kind: z.literal('kafka'),
  topic: z.string().check(z.regex(/^[A-Za-z0-9._-]{1,249}$/)),
  /** The consumer group whose offsets show other programs how far the console has read. */
  group: z.string().check(z.regex(/^[A-Za-z0-9._-]{1,200}$/)),
  /** How user and password are authenticated. */
  mechanism: z.enum(saslMechanisms),
});
export type KafkaOptions = z.output<typeof KafkaOptions>;

const MqttOptions = z.strictObject({
  kind: z.literal('mqtt'),
  /** The topic filter, with + and # as wildcards. */
  filter: z.string().check(z.regex(/^[^\0]{1,500}$/)),
  version: z.literal(['3.1.1', '5']),
});
export type MqttOptions = z.output<typeof MqttOptions>;

const FilesOptions = z.strictObject({
  kind: z.literal('files'),
  /** The region and endpoint of a bucket; '' for the defaults, and for a folder. */
  region: z.string().check(z.regex(/^[a-z0-9-]{0,40}$/)),
  endpoint: z.string().check(z.maxLength(500)),
});
export type FilesOptions = z.output<typeof FilesOptions>;
export const Options = z.discriminatedUnion('kind', [NatsOptions, KafkaOptions, MqttOptions, FilesOptions]);
export type Options = z.output<typeof Options>;

export const credentialKinds = ['none', 'basic', 'token', 'certificate'] as const;
const secret = z.string().check(z.minLength(1), z.maxLength(4000), z.regex(/^[\x20-\x7e]+$/));
const pem = z
  .string()
  .check(z.maxLength(20_000), z.regex(/-----BEGIN [A-Z ]+-----[\s\S]+-----END [A-Z ]+-----/));
/** How the console authenticates. Credentials are sealed and never returned. */
export const Credentials = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('none') }),
  z.strictObject({ kind: z.literal('basic'), user: secret, password: secret }),
  z.strictObject({ kind: z.literal('token'), token: secret }),
  z.strictObject({ kind: z.literal('certificate'), certificate: pem, key: pem }),
]);
export type Credentials = z.output<typeof Credentials>;

/**
 * What messages contain: CloudEvents as in POST /usage/events, or any JSON that a JSONata expression converts
 * to events.
 */
export const formats = ['cloudevents', 'mapped'] as const;
/** Where a stream starts that has not read anything yet. */
export const starts = ['earliest', 'latest'] as const;

/** Why a stream cannot be read. */
export const failures = [
  'address',
  'unreachable',
  'certificate',
  'timeout',
  'refused_credentials',
  'refused',
  'not_found',
  'consumer_unfit',
  'rejected_full',
  'broker',
] as const;
export type FailureCode = (typeof failures)[number];
const Failure = z.strictObject({ code: z.enum(failures), detail: z.string() });
export type Failure = z.output<typeof Failure>;

export const streamStates = ['active', 'paused'] as const;
export const EventStream = z.strictObject({
  id: id('est'),
  name: z.string(),
  address: z.string(),
  /** An additional trusted certificate authority, in PEM; '' for none. */
  authority: z.string(),
  options: Options,
  credentials: z.enum(credentialKinds),
  format: z.enum(formats),
  expression: z.string(),
  start: z.enum(starts),
  state: z.enum(streamStates),
  /** Whether a server process is currently reading it. */
  isConnected: z.boolean(),
  /** The number of messages waiting in the broker; null if the broker does not report it. */
  lag: z.nullable(z.int()),
  eventsPerMinute: z.int(),
  messages: z.int(),
  events: z.int(),
  duplicates: z.int(),
  /** The number of rejected messages currently kept. */
  rejected: z.int(),
  lastMessageAt: z.nullable(instant),
  failingSince: z.nullable(instant),
  failure: z.nullable(Failure),
  nextTryAt: instant,
  /** Whether anything was read; the settings that determine event ids are then fixed. */
  hasRead: z.boolean(),
  version: z.int(),
  createdAt: instant,
});
export type EventStream = z.output<typeof EventStream>;

/** Reasons for rejecting a message in addition to metering's. */
export const rejectionCodes = [
  'eventstreams.message_no_json',
  'eventstreams.row_unreadable',
  'eventstreams.message_too_large',
  'eventstreams.message_too_many',
  'eventstreams.mapping_failed',
  'eventstreams.mapping_too_slow',
  'eventstreams.mapping_no_event',
  'eventstreams.mapping_no_id',
  'eventstreams.messages_lost',
] as const;
export const Rejected = z.strictObject({
  id: id('esr'),
  /** Its position in the stream: topic, partition and offset, or stream and sequence. */
  position: z.string(),
  topic: z.string(),
  code: z.string(),
  message: z.string(),
  payload: z.string(),
  /** Whether it is kept completely, so that it can be retried. */
  isComplete: z.boolean(),
  receivedAt: instant,
});
export type Rejected = z.output<typeof Rejected>;

export const Preview = z.strictObject({
  failure: z.nullable(Failure),
  messages: z.array(
    z.strictObject({
      position: z.string(),
      topic: z.string(),
      payload: z.string(),
      /** The events it would become, as JSON. */
      events: z.array(z.string()),
      /** Why it would be rejected, as far as can be determined without recording it. */
      problem: z.nullable(z.string()),
    }),
  ),
});
export type Preview = z.output<typeof Preview>;

const Outcome = z.strictObject({
  /** Messages that are now recorded as events, or already were. */
  mended: z.int(),
  rejected: z.int(),
  /** The number of rejected messages still kept afterwards. */
  left: z.int(),
});

const admin = { roles: ['Admin'] } as const;
const one = { streamId: id('est') };
const settings = {
  name: text(80),
  address: text(2000),
  authority: z.union([z.literal(''), pem]),
  options: Options,
  credentials: Credentials,
  format: z.enum(formats),
  expression: z.string().check(z.maxLength(4000)),
  start: z.enum(starts),
};

export const eventStreams = contract({
  listEventStreams: route({
    method: 'GET',
    path: '/admin/event-streams',
    access: admin,
    isBatchable: true,
    summary: 'List event streams',
    description: 'Their state, what’s pending in the broker, and what was rejected.',
    input: z.strictObject(pageQuery),
    output: pageOf(EventStream),
  }),
  getEventStream: route({
    method: 'GET',
    path: '/admin/event-streams/:streamId',
    access: admin,
    isBatchable: true,
    summary: 'Get an event stream',
    description: 'Credentials are never returned.',
    input: z.strictObject(one),
    output: EventStream,
  }),
  createEventStream: route({
    method: 'POST',
    path: '/admin/event-streams',
    access: admin,
    status: 201,
    idempotent: true,
    summary: 'Create an event stream',
    description: 'It’s paused until you start it, so that you can try it first.',
    input: z.strictObject(settings),
    output: EventStream,
  }),
  updateEventStream: route({
    method: 'PATCH',
    path: '/admin/event-streams/:streamId',
    access: admin,
    summary: 'Update an event stream',
    description: 'A new server requires the credentials again.',
    input: z.strictObject({
      ...one,
      version: z.int(),
      name: z.optional(settings.name),
      address: z.optional(settings.address),
      authority: z.optional(settings.authority),
      options: z.optional(settings.options),
      credentials: z.optional(settings.credentials),
      format: z.optional(settings.format),
      expression: z.optional(settings.expression),
      start: z.optional(settings.start),
    }),
    output: EventStream,
  }),
  startEventStream: route({
    method: 'POST',
    path: '/admin/event-streams/:streamId/start',
    access: admin,
    summary: 'Start an event stream',
    description: 'Continues reading where it stopped.',
    input: z.strictObject(one),
    output: EventStream,
  }),
  pauseEventStream: route({
    method: 'POST',
    path: '/admin/event-streams/:streamId/pause',
    access: admin,
    summary: 'Pause an event stream',
    description: 'Messages stay in the broker until you start it.',
    input: z.strictObject(one),
    output: EventStream,
  }),
  deleteEventStream: route({
    method: 'DELETE',
    path: '/admin/event-streams/:streamId',
    access: admin,
    summary: 'Delete an event stream',
    description: 'Its rejected messages are deleted too. Usage that it brought stays.',
    input: z.strictObject(one),
    output: nothing,
  }),
  previewEventStream: route({
    method: 'POST',
    path: '/admin/event-streams/:streamId/preview',
    access: admin,
    atOnce: 2,
    summary: 'Preview an event stream',
    description:
      'Reads the next messages without acknowledging them and returns the events they would become. Nothing is counted.',
    input: z.strictObject({
      ...one,
      format: z.optional(settings.format),
      expression: z.optional(settings.expression),
    }),
    output: Preview,
  }),
  listRejectedMessages: route({
    method: 'GET',
    path: '/admin/event-streams/:streamId/rejected',
    access: admin,
    summary: 'List rejected messages',
    description: 'Messages of a stream that aren’t valid usage, with their reasons, newest first.',
    input: z.strictObject({ ...pageQuery, ...one }),
    output: pageOf(Rejected),
  }),
  retryRejectedMessages: route({
    method: 'POST',
    path: '/admin/event-streams/:streamId/rejected/retry',
    access: admin,
    summary: 'Retry rejected messages',
    description: 'One message, or all that are kept in full. Messages that now count leave the list.',
    input: z.strictObject({ ...one, rejectedId: z.optional(id('esr')) }),
    output: Outcome,
  }),
  dropRejectedMessages: route({
    method: 'POST',
    path: '/admin/event-streams/:streamId/rejected/drop',
    access: admin,
    summary: 'Drop rejected messages',
    description: 'One message, or all of the stream, permanently.',
    input: z.strictObject({ ...one, rejectedId: z.optional(id('esr')) }),
    output: z.strictObject({ dropped: z.int() }),
  }),
});

export const eventStreamsErrors = {
  'eventstreams.not_found': 404,
  'eventstreams.rejected_not_found': 404,
  'eventstreams.too_many': 409,
  'eventstreams.changed_meanwhile': 409,
  'eventstreams.incomplete': 409,
  // Invalid fields: the response names the field (400).
  'eventstreams.address_malformed': 400,
  'eventstreams.address_scheme': 400,
  'eventstreams.address_files': 400,
  'eventstreams.folders_closed': 400,
  'eventstreams.address_too_many': 400,
  'eventstreams.address_not_https': 400,
  'eventstreams.address_credentials': 400,
  'eventstreams.address_port': 400,
  'eventstreams.address_host': 400,
  'eventstreams.address_not_public': 400,
  'eventstreams.credentials_again': 400,
  'eventstreams.credentials_unfit': 400,
  'eventstreams.certificate_needs_tls': 400,
  'eventstreams.kind_fixed': 400,
  'eventstreams.expression_missing': 400,
  'eventstreams.expression_wrong': 400,
} as const satisfies ErrorTable;
