// Event streams for Admins: create, change, start, pause and delete them. Every change is written to the
// audit log, without credentials.
import type { In } from '#kernel/contract.ts';
import { domainError, ValidationError } from '#kernel/errors.ts';
import type { Page } from '#kernel/shape.ts';
import { expressionIssue } from '#features/metering/connectors/server/index.ts';
import { OutsideUnavailable } from '#platform/server/files/outside/outside-files.ts';
import { targetIssue } from '#platform/server/outbound/outbound-pinned.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { lockUntilEnd } from '#platform/server/unit-of-work/unit-of-work.ts';
import {
  eventStreamsErrors,
  maxAddresses,
  maxStreams,
  type Credentials,
  type EventStream,
  type eventStreams,
  type FilesOptions,
  type Options,
  type StreamKind,
} from '../contract.ts';
import {
  fitsCredentials,
  isSameServers,
  ratePerMinute,
  readAddresses,
  schemesOf,
  webAddressOf,
  type Address,
} from '../rules.ts';
import { placeOfAddress } from '../rules-files.ts';
import { sealed } from './credentials.ts';
import { openFilePlace } from './readers/files.ts';
import {
  changeStream,
  countStreams,
  deleteStreamRow,
  insertStream,
  lockStream,
  pageOfStreams,
  setPaused,
  streamById,
  type CountedRow,
  type StreamRow,
} from './store.ts';

/** An event stream as Admins see it: everything except its credentials. */
const viewOf = (row: CountedRow, now: Date): EventStream => ({
  id: row.id,
  name: row.name,
  address: row.address,
  authority: row.authority,
  options: row.options,
  credentials: row.credentialKind,
  format: row.format,
  expression: row.expression,
  start: row.start,
  state: row.isPaused ? 'paused' : 'active',
  isConnected: row.isConnected && !row.isPaused && row.failureCode === null,
  lag: row.lag === null ? null : Number(row.lag),
  eventsPerMinute: ratePerMinute(
    { minute: row.rateMinute, count: Number(row.rateCount), before: Number(row.rateBefore) },
    now,
  ),
  messages: Number(row.messages),
  events: Number(row.events),
  duplicates: Number(row.duplicates),
  rejected: Number(row.rejected),
  lastMessageAt: row.lastMessageAt,
  failingSince: row.failingSince,
  failure: row.failureCode && { code: row.failureCode, detail: row.failureDetail ?? '' },
  nextTryAt: row.nextTryAt,
  hasRead: row.messages > 0n,
  version: row.version,
  createdAt: row.createdAt,
});

export async function listEventStreams(
  ctx: Ctx,
  input: In<typeof eventStreams.listEventStreams>,
): Promise<Page<EventStream>> {
  const page = await pageOfStreams(ctx, input);
  return { ...page, items: page.items.map((row) => viewOf(row, ctx.now)) };
}

/** Returns one event stream. @throws DomainError `eventstreams.not_found` */
export async function getEventStream(
  ctx: Ctx,
  { streamId }: In<typeof eventStreams.getEventStream>,
): Promise<EventStream> {
  return viewOf(await knownStream(ctx, streamId), ctx.now);
}

/** @throws DomainError `eventstreams.not_found` */
export async function knownStream(ctx: Ctx, streamId: string): Promise<CountedRow> {
  const row = await streamById(ctx, streamId);
  if (!row) throw domainError(eventStreamsErrors, 'eventstreams.not_found');
  return row;
}

/** Returns one event stream, locked. @throws DomainError `eventstreams.not_found` */
export async function lockedStream(ctx: Ctx, streamId: string): Promise<StreamRow> {
  const row = await lockStream(ctx, streamId);
  if (!row) throw domainError(eventStreamsErrors, 'eventstreams.not_found');
  return row;
}

/**
 * Checks that this console may connect to the servers. Names are resolved and checked on connection, because
 * their addresses may change.
 */
function assertAddress(ctx: Ctx, typed: string, options: Options): readonly Address[] {
  if (options.kind === 'files') return assertPlace(ctx, typed, options);
  const { kind } = options;
  const read = readAddresses(typed, kind);
  if (typeof read === 'string')
    throw new ValidationError([
      {
        field: 'address',
        // used as: 'eventstreams.address_*'
        code: `eventstreams.address_${read}`,
        params: {
          most: maxAddresses,
          schemes: schemesOf(kind)
            .map((each) => `${each}://`)
            .join(', '),
        },
      },
    ]);
  for (const each of read) {
    const issue = targetIssue(webAddressOf(each), false, ctx.app.config.privateHosts, {
      isPlainAllowed: true,
    });
    // used as: 'eventstreams.address_*'
    if (issue) throw new ValidationError([{ field: 'address', code: `eventstreams.address_${issue}` }]);
  }
  return read;
}

/**
 * Checks that it is a folder below the permitted one, or a bucket that may be connected to. Files have no
 * server addresses.
 */
function assertPlace(ctx: Ctx, address: string, options: FilesOptions): readonly Address[] {
  const place = placeOfAddress(address, options);
  if (!place) throw domainError(eventStreamsErrors, 'eventstreams.address_files', {}, ['address']);
  if (place.kind === 'folder' && ctx.app.config.importDir === undefined)
    throw domainError(eventStreamsErrors, 'eventstreams.folders_closed', {}, ['address']);
  try {
    openFilePlace(ctx.app, { address, options, credentials: { kind: 'none' } }).close();
  } catch (error) {
    if (!(error instanceof OutsideUnavailable)) throw error;
    throw domainError(eventStreamsErrors, 'eventstreams.address_not_public', {}, ['options.endpoint']);
  }
  return [];
}

/** Whether credentials entered for one location would be sent to another. */
function isElsewhere(
  before: Pick<StreamRow, 'address' | 'options'>,
  after: Pick<StreamRow, 'address' | 'options'>,
  servers: readonly Address[],
): boolean {
  if (before.options.kind === 'files' || after.options.kind === 'files')
    return (
      JSON.stringify([before.address, before.options]) !== JSON.stringify([after.address, after.options])
    );
  const known = readAddresses(before.address, before.options.kind);
  return typeof known === 'string' || !isSameServers(known, servers);
}

function assertCredentials(
  kind: StreamKind,
  credentials: Credentials['kind'],
  servers: readonly Address[],
): void {
  if (!fitsCredentials(kind, credentials))
    throw domainError(eventStreamsErrors, 'eventstreams.credentials_unfit', {}, ['credentials.kind']);
  if (credentials === 'certificate' && !servers.every(({ isTls }) => isTls))
    throw domainError(eventStreamsErrors, 'eventstreams.certificate_needs_tls', {}, ['address']);
}

/** Checks the expression, if the format needs one. */
export function assertExpression(format: EventStream['format'], expression: string): void {
  if (format === 'cloudevents') return;
  if (expression.trim() === '')
    throw domainError(eventStreamsErrors, 'eventstreams.expression_missing', {}, ['expression']);
  const reason = expressionIssue(expression);
  if (reason !== undefined)
    throw domainError(eventStreamsErrors, 'eventstreams.expression_wrong', { reason }, ['expression']);
}

/** Creates an event stream, which is paused until it is started. */
export async function createEventStream(
  ctx: Ctx,
  input: In<typeof eventStreams.createEventStream>,
): Promise<EventStream> {
  const { credentials, ...settings } = input;
  const servers = assertAddress(ctx, input.address, input.options);
  assertCredentials(input.options.kind, credentials.kind, servers);
  assertExpression(input.format, input.expression);
  await lockUntilEnd(ctx, 'event-streams');
  if ((await countStreams(ctx)) >= maxStreams)
    throw domainError(eventStreamsErrors, 'eventstreams.too_many', { most: maxStreams });
  const streamId = ctx.newId('est');
  await insertStream(ctx, streamId, {
    ...settings,
    credentialKind: credentials.kind,
    credentials: sealed(ctx.app, streamId, credentials),
  });
  ctx.audit('eventstreams.createEventStream', streamId, { ...settings, credentials: credentials.kind });
  ctx.publish('system/event-streams', { kind: 'event-streams' });
  return getEventStream(ctx, { streamId });
}

/** Changes an event stream; the process that reads it restarts with the new settings. */
export async function updateEventStream(
  ctx: Ctx,
  { streamId, version, credentials, ...change }: In<typeof eventStreams.updateEventStream>,
): Promise<EventStream> {
  const before = await lockedStream(ctx, streamId);
  if (version !== before.version)
    throw domainError(eventStreamsErrors, 'eventstreams.changed_meanwhile', { name: before.name });
  const after = {
    name: change.name ?? before.name,
    address: change.address ?? before.address,
    authority: change.authority ?? before.authority,
    options: change.options ?? before.options,
    format: change.format ?? before.format,
    expression: change.expression ?? before.expression,
    start: change.start ?? before.start,
  };
  if (after.options.kind !== before.options.kind)
    throw domainError(eventStreamsErrors, 'eventstreams.kind_fixed', {}, ['options']);
  const { kind } = after.options;
  const servers = assertAddress(ctx, after.address, after.options);
  assertCredentials(kind, credentials?.kind ?? before.credentialKind, servers);
  assertExpression(after.format, after.expression);
  // Credentials are meant for these servers; they must not be disclosed to others.
  if (isElsewhere(before, after, servers) && credentials === undefined && before.credentials !== null)
    throw domainError(eventStreamsErrors, 'eventstreams.credentials_again', {}, ['credentials.kind']);
  await changeStream(ctx, streamId, {
    ...after,
    credentialKind: credentials?.kind ?? before.credentialKind,
    credentials: credentials ? sealed(ctx.app, streamId, credentials) : before.credentials,
  });
  ctx.audit('eventstreams.updateEventStream', streamId, {
    before: {
      name: before.name,
      address: before.address,
      options: before.options,
      format: before.format,
      expression: before.expression,
    },
    after: change,
    areCredentialsChanged: credentials !== undefined,
  });
  ctx.publish('system/event-streams', { kind: 'event-streams' });
  return getEventStream(ctx, { streamId });
}

export const startEventStream = (
  ctx: Ctx,
  input: In<typeof eventStreams.startEventStream>,
): Promise<EventStream> => setState(ctx, input, false);
export const pauseEventStream = (
  ctx: Ctx,
  input: In<typeof eventStreams.pauseEventStream>,
): Promise<EventStream> => setState(ctx, input, true);

async function setState(
  ctx: Ctx,
  { streamId }: In<typeof eventStreams.startEventStream>,
  isPaused: boolean,
): Promise<EventStream> {
  const { name } = await lockedStream(ctx, streamId);
  await setPaused(ctx, streamId, isPaused);
  ctx.audit(isPaused ? 'eventstreams.pauseEventStream' : 'eventstreams.startEventStream', streamId, { name });
  ctx.publish('system/event-streams', { kind: 'event-streams' });
  return getEventStream(ctx, { streamId });
}

export async function deleteEventStream(
  ctx: Ctx,
  { streamId }: In<typeof eventStreams.deleteEventStream>,
): Promise<null> {
  const { name, address } = await lockedStream(ctx, streamId);
  await deleteStreamRow(ctx, streamId);
  ctx.audit('eventstreams.deleteEventStream', streamId, { name, address });
  ctx.publish('system/event-streams', { kind: 'event-streams' });
  return null;
}
