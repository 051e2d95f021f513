// Reads the files of imports, one import at a time, and applies those from folders and buckets at once. A
// process that dies leaves nothing behind: partial results are not used, and another process starts over.
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { chunksOf } from '#kernel/chunks.ts';
import { required } from '#kernel/assert.ts';
import type { Currency } from '#kernel/money.ts';
import { failPoint } from '#platform/server/fail-point.ts';
import { OutsideUnavailable } from '#platform/server/files/outside/outside-files.ts';
import { sha256 } from '#platform/server/security/digest.ts';
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { scopeKey } from '../rules-aggregate.ts';
import { applyTo } from './apply.ts';
import { openPlace } from './place.ts';
import { CostsUnreadable, readCosts } from './read-costs.ts';
import type { ReadMessage, ReadMistake } from './read-task.ts';
import { lockSource, sourceById, type SourceRow } from './store.ts';
import {
  claimImport,
  endImport,
  endReading,
  holdImport,
  lockImport,
  storeLines,
  storeScopes,
  type ImportRow,
} from './store-imports.ts';

const by = { actor: { kind: 'system', name: 'cost-imports' }, keepsCachedReads: true } as const;
/** A process that has not renewed its claim for this long is considered dead. */
const claimMs = 30_000;
const mostAttempts = 5;
/**
 * An attempt's number encodes how often someone requested a re-read, followed by two digits for the attempts.
 */
const attemptsOfAsking = 100;
const scopesAtOnce = 2000;
/** The maximum size of an import's files as stored, in bytes. */
const maxFileBytes = 2 * 1024 * 1024 * 1024;

/** The name of an upload among the console's files. */
export const uploadName = (importId: string): string => `${uploadFolder}/${importId}`;
export const uploadFolder = 'cost-imports';

/** Thrown when the import was canceled or taken over by another process. */
class Stopped extends Error {
  override readonly name = 'Stopped';
}

/**
 * Reads waiting imports until there are none. Never throws for an invalid file; the error is stored on its
 * import.
 */
export async function readWaiting(app: App, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const found = await unitOfWork(app, by, (ctx) => claimImport(ctx, new Date(ctx.now.getTime() + claimMs)));
    if (!found) return;
    await readImport(app, found, signal);
    await unitOfWork(app, by, async (ctx) => ctx.publish('system/costs', { kind: 'imports' }));
  }
}

async function readImport(app: App, row: ImportRow, signal: AbortSignal): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'skytally-costs-'));
  try {
    if (row.attempt % attemptsOfAsking > mostAttempts) throw new CostsUnreadable(plain('gave_up'));
    const source = required(
      await unitOfWork(app, { ...by, mode: 'read' }, (ctx) => sourceById(ctx, row.sourceId)),
      'the source of an import',
    );
    const files = await fetched(app, row, source, folder, signal);
    failPoint(app, 'cost-imports: the files are here');
    const { assumedCurrency } = source;
    await readCosts({ files, assumedCurrency }, taker(app, row, assumedCurrency), signal);
    await applyAtOnce(app, row);
  } catch (error) {
    if (error instanceof Stopped || signal.aborted) return;
    const mistake = mistakeOf(error);
    if (!mistake) throw error;
    await unitOfWork(app, by, async (ctx) => {
      const now = await lockImport(ctx, row.id);
      if (now?.state === 'reading' && now.attempt === row.attempt)
        await endImport(ctx, row.id, 'failed', mistake);
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const plain = (rule: string): ReadMistake => ({ rule, params: {}, row: null, column: null });

function mistakeOf(error: unknown): ReadMistake | undefined {
  if (error instanceof CostsUnreadable) return error.mistake;
  // used as: 'costs.place_*'
  return error instanceof OutsideUnavailable
    ? { ...plain(`place_${error.failure}`), params: { detail: error.detail } }
    : undefined;
}

/** Copies an import's files to this machine, so that they are read at a steady pace. */
async function fetched(
  app: App,
  row: ImportRow,
  source: SourceRow,
  folder: string,
  signal: AbortSignal,
): Promise<{ path: string; name: string }[]> {
  if (row.files === null) {
    const content = await app.files.read(uploadName(row.id));
    if (content === undefined) throw new CostsUnreadable(plain('file_missing'));
    return [await saved(app, row, content, join(folder, '0'), row.name)];
  }
  const place = openPlace(app, source);
  try {
    const files: { path: string; name: string }[] = [];
    for (const [index, name] of row.files.entries())
      files.push(
        await saved(app, row, place.read(name, maxFileBytes, signal), join(folder, String(index)), name),
      );
    return files;
  } finally {
    place.close();
  }
}

async function saved(
  app: App,
  row: ImportRow,
  content: AsyncIterable<Uint8Array>,
  path: string,
  name: string,
): Promise<{ path: string; name: string }> {
  let next = 0;
  const held = async function* (): AsyncGenerator<Uint8Array, void, void> {
    for await (const piece of content) {
      const now = app.clock.now().getTime();
      if (now >= next) {
        next = now + claimMs / 3;
        await hold(app, row);
      }
      yield piece;
    }
  };
  await pipeline(Readable.from(held(), { objectMode: false }), createWriteStream(path, { mode: 0o600 }));
  return { path, name };
}

async function hold(app: App, row: ImportRow, progress?: { bytes: number; rows: number }): Promise<void> {
  const isHeld = await unitOfWork(app, by, async (ctx) => {
    if (progress) ctx.publish('system/costs', { kind: 'imports' });
    return holdImport(ctx, row, new Date(ctx.now.getTime() + claimMs), progress);
  });
  if (!isHeld) throw new Stopped();
}

/** Stores the reader's messages, each in its own unit of work, as long as this process owns the import. */
function taker(
  app: App,
  row: ImportRow,
  assumedCurrency: Currency | null,
): (message: Exclude<ReadMessage, { kind: 'mistake' }>) => Promise<void> {
  let numbers: readonly string[] = [];
  return async (message) => {
    if (message.kind === 'progress') return hold(app, row, message);
    const isHeld = await unitOfWork(app, by, async (ctx) => {
      if (!(await holdImport(ctx, row, new Date(ctx.now.getTime() + claimMs)))) return false;
      if (message.kind === 'scopes') {
        const stored: string[] = [];
        for (const scopes of chunksOf(message.scopes, scopesAtOnce))
          stored.push(
            ...(await storeScopes(
              ctx,
              row.sourceId,
              scopes.map((scope) => ({ ...scope, digest: sha256(scopeKey(scope)) })),
            )),
          );
        numbers = stored;
      } else if (message.kind === 'lines')
        await storeLines(
          ctx,
          row.id,
          message.lines.map(({ scope, ...line }) => ({
            ...line,
            scopeId: required(numbers[scope], 'the number of a scope'),
          })),
        );
      else await endReading(ctx, row.id, { ...message, assumedCurrency });
      return true;
    });
    if (!isHeld) throw new Stopped();
    failPoint(app, `cost-imports: ${message.kind} are stored`);
  };
}

/** Imports from a folder or bucket are applied as soon as they are read. */
async function applyAtOnce(app: App, row: ImportRow): Promise<void> {
  if (row.files === null) return;
  await unitOfWork(app, { actor: by.actor }, async (ctx) => {
    const source = await lockSource(ctx, row.sourceId);
    const now = await lockImport(ctx, row.id);
    if (!source || now?.state !== 'ready') return;
    await applyTo(ctx, source, now);
    ctx.audit('costs.applyCostImport', row.id, { name: row.name });
  });
}

export const digestOf = (content: Uint8Array): Buffer => createHash('sha256').update(content).digest();
