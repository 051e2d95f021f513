// Reads files of events from a folder or bucket. A file is copied here, identified by the digest of its
// content, and read row by row. The number of recorded rows is stored with their events, so that another
// server process can continue at the next row.
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline as connect, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import { parse } from 'csv-parse';
import { asError } from '#kernel/errors.ts';
import { openOutside } from '#platform/server/files/outside/open-outside.ts';
import {
  atMost,
  OutsideUnavailable,
  type OutsideFailure,
  type OutsideFile,
  type OutsideFiles,
} from '#platform/server/files/outside/outside-files.ts';
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import type { FailureCode, FilesOptions } from '../../contract.ts';
import { maxMessageBytes } from '../../rules.ts';
import { begunKey, contentKey, filesToRead, placeOfAddress, rowJson, seenKey } from '../../rules-files.ts';
import {
  maxBatchBytes,
  maxBatchMessages,
  StreamFailure,
  type Batch,
  type Incoming,
  type ReaderSettings,
  type StreamReader,
} from '../reader.ts';

const mostFiles = 20_000;
const maxFileBytes = 2 * 1024 * 1024 * 1024;
const maxUnpackedBytes = 8 * maxFileBytes;
/** The interval for finding new files; the lease is renewed in between. */
const lookEveryMs = 30_000;
const turnMs = 1000;
/** The position of a content that was read to its end. */
const wholeFile = -1n;

const failureCodes: Readonly<Record<OutsideFailure, FailureCode>> = {
  folders_closed: 'address',
  path: 'address',
  address: 'address',
  unreachable: 'unreachable',
  certificate: 'certificate',
  timeout: 'timeout',
  credentials: 'refused_credentials',
  not_found: 'not_found',
  no_space: 'broker',
  busy: 'broker',
  too_many_files: 'broker',
  too_large: 'broker',
  answer: 'broker',
};
const failureOf = (error: unknown): unknown =>
  error instanceof OutsideUnavailable
    ? new StreamFailure(failureCodes[error.failure], `${error.failure}: ${error.detail}`)
    : error;

/** Opens the folder or bucket of a stream. @throws OutsideUnavailable */
export function openFilePlace(
  app: App,
  {
    address,
    options,
    credentials,
  }: Pick<ReaderSettings<FilesOptions>, 'address' | 'options' | 'credentials'>,
): OutsideFiles {
  const place = placeOfAddress(address, options);
  if (!place) throw new OutsideUnavailable('path', address);
  const keys =
    credentials.kind === 'basic'
      ? { accessKeyId: credentials.user, secretAccessKey: credentials.password }
      : null;
  const { importDir, privateHosts } = app.config;
  return openOutside(place.kind === 'folder' ? place : { ...place, keys }, {
    importDir,
    privateHosts,
    mostFiles,
  });
}

type Row = { readonly payload: Uint8Array; readonly isUnreadable: boolean };
/** A downloaded file with its rows and the number of rows read. */
type Current = {
  readonly file: OutsideFile;
  readonly digest: string;
  readonly rows: AsyncGenerator<Row, void, void>;
  row: bigint;
  readonly from: bigint;
};

/** Lists the location. @throws StreamFailure */
export async function openFiles(settings: ReaderSettings<FilesOptions>): Promise<StreamReader> {
  const { app, signal } = settings;
  const known = new Map(settings.positions);
  let place: OutsideFiles;
  try {
    place = openFilePlace(app, settings);
  } catch (error) {
    throw failureOf(error);
  }
  const folder = await mkdtemp(join(tmpdir(), 'skytally-events-'));
  const close = async (): Promise<void> => {
    place.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const found = await place.list('', signal);
    const begins = new Map<string, bigint>();
    if (known.size === 0) {
      begins.set(begunKey, 1n);
      if (settings.start === 'latest') for (const file of found) begins.set(seenKey(file), 1n);
    }
    for (const [key, value] of begins) known.set(key, value);
    return { begins, next: nextOf(settings, place, folder, known), acknowledge: async () => {}, close };
  } catch (error) {
    await close();
    throw failureOf(error);
  }
}

/**
 * Returns the next rows, from one file at a time. Returns none while a large file is downloading, and between
 * files.
 */
function nextOf(
  settings: ReaderSettings<FilesOptions>,
  place: OutsideFiles,
  folder: string,
  known: Map<string, bigint>,
): StreamReader['next'] {
  let [lookAt, waiting]: [number, OutsideFile[]] = [0, []];
  let fetching: Promise<Current | undefined> | undefined;
  let current: Current | undefined;
  const nothing: Batch = { messages: [], lost: [], positions: new Map(), lag: null };
  const whole = (file: OutsideFile, digest: string): ReadonlyMap<string, bigint> => {
    const positions = new Map([
      [contentKey(file.name, digest), wholeFile],
      [seenKey(file), 1n],
    ]);
    for (const [key, value] of positions) known.set(key, value);
    return positions;
  };
  return async (signal) => {
    try {
      if (!current && !fetching) {
        if (waiting.length === 0 && performance.now() >= lookAt) {
          const found = await place.list('', signal);
          waiting = filesToRead(found, (key) => known.has(key), settings.app.clock.now());
          lookAt = performance.now() + lookEveryMs;
        }
        const file = waiting.shift();
        if (!file) {
          await sleep(turnMs, undefined, { signal }).catch(() => undefined);
          return nothing;
        }
        fetching = fetched(place, folder, file, known, signal);
      }
      if (fetching) {
        const arrived = await Promise.race([fetching, sleep(turnMs, 'not yet' as const, { ref: false })]);
        if (arrived === 'not yet') return nothing;
        fetching = undefined;
        current = arrived;
      }
      if (!current) return nothing;
      const { file, digest } = current;
      const { messages, isEnd } = await rowsOf(current);
      const positions = isEnd
        ? whole(file, digest)
        : new Map([[contentKey(file.name, digest), current.row < current.from ? current.from : current.row]]);
      if (isEnd) current = undefined;
      return { messages, lost: [], positions, lag: null };
    } catch (error) {
      throw failureOf(error);
    }
  };
}

/**
 * Downloads a file and skips to the first row that was not recorded. A content that was already read under
 * this name has no rows left.
 */
async function fetched(
  place: OutsideFiles,
  folder: string,
  file: OutsideFile,
  known: ReadonlyMap<string, bigint>,
  signal: AbortSignal,
): Promise<Current> {
  const path = join(folder, 'file');
  const hash = createHash('sha256');
  const hashed = async function* (): AsyncGenerator<Uint8Array, void, void> {
    for await (const piece of place.read(file.name, maxFileBytes, signal)) {
      hash.update(piece);
      yield piece;
    }
  };
  await pipeline(Readable.from(hashed(), { objectMode: false }), createWriteStream(path, { mode: 0o600 }));
  const digest = hash.digest('hex');
  const from = known.get(contentKey(file.name, digest)) ?? 0n;
  const rows = from === wholeFile ? none() : readRows(path, file.name);
  return { file, digest, rows, row: 0n, from };
}

async function* none(): AsyncGenerator<Row, void, void> {}

/** Reads as many rows as fit into a batch; skips recorded ones for at most a second. */
async function rowsOf(
  current: Current,
): Promise<{ readonly messages: readonly Incoming[]; readonly isEnd: boolean }> {
  const { file, rows, from } = current;
  const messages: Incoming[] = [];
  const until = performance.now() + turnMs;
  let bytes = 0;
  while (messages.length < maxBatchMessages && bytes < maxBatchBytes && performance.now() < until) {
    const next = await rows.next();
    if (next.done === true) return { messages, isEnd: true };
    current.row += 1n;
    if (current.row <= from) continue;
    const { payload, isUnreadable } = next.value;
    const digest = createHash('sha256').update(payload).digest('base64url').slice(0, 22);
    messages.push({
      position: `${file.name}:${current.row}`,
      // When a file grows, its earlier rows keep the ids they had.
      positionId: `${file.name}:${current.row}:${digest}`,
      topic: file.name,
      payload,
      sentAt: file.modifiedAt,
      isUnreadable,
    });
    bytes += payload.length;
  }
  return { messages, isEnd: false };
}

/** Yields the rows of a file; if it ends prematurely, the last row is an unreadable one. */
async function* readRows(path: string, name: string): AsyncGenerator<Row, void, void> {
  const isPacked = /\.gz$/i.test(name);
  const source = createReadStream(path);
  const bytes = isPacked ? connect(source, createGunzip(), () => undefined) : source;
  const bounded = atMost(bytes as AsyncIterable<Uint8Array>, maxUnpackedBytes, name);
  try {
    yield* /\.csv(\.gz)?$/i.test(name) ? rowsOfTable(bounded) : linesOf(bounded);
  } catch (error) {
    const reason = asError(error).message;
    yield { payload: Buffer.from(reason), isUnreadable: true };
  } finally {
    source.destroy();
  }
}

async function* rowsOfTable(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Row, void, void> {
  const parser = parse({
    bom: true,
    relax_column_count: true,
    skip_empty_lines: true,
    trim: true,
    max_record_size: maxMessageBytes,
  });
  // An error also ends the parser, which reports it to the reader of the rows.
  connect(Readable.from(bytes), parser, () => undefined);
  let headings: readonly string[] | undefined;
  for await (const cells of parser as AsyncIterable<string[]>) {
    if (!headings) {
      headings = cells;
      continue;
    }
    const json = rowJson(headings, cells);
    yield json === undefined
      ? { payload: Buffer.from(cells.join(',')), isUnreadable: true }
      : { payload: Buffer.from(json), isUnreadable: false };
  }
}

const newline = 10;
/**
 * Yields lines without their terminators, skipping empty ones. Of a line that is too long, only enough is
 * buffered to detect that.
 */
async function* linesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Row, void, void> {
  let [held, length]: [Uint8Array[], number] = [[], 0];
  const hold = (piece: Uint8Array): void => {
    if (length <= maxMessageBytes) held.push(piece);
    length += piece.length;
  };
  const taken = (): Row | undefined => {
    const line = Buffer.concat(held);
    [held, length] = [[], 0];
    const isBlank = line.length <= maxMessageBytes && line.toString('latin1').trim() === '';
    return isBlank ? undefined : { payload: line, isUnreadable: false };
  };
  for await (const piece of bytes) {
    let from = 0;
    for (let end = piece.indexOf(newline); end !== -1; end = piece.indexOf(newline, from)) {
      hold(piece.subarray(from, end));
      from = end + 1;
      const line = taken();
      if (line) yield line;
    }
    hold(piece.subarray(from));
  }
  const last = taken();
  if (last) yield last;
}
