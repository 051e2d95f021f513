// What a metering call sends and what it is told, the same over HTTP and MQTT: JSON in, what became of each event out.
import { isUtf8 } from 'node:buffer';
import type { TextParams } from '#kernel/text.ts';
import type { Ingested } from '../contract.ts';
import { refusalText } from '../rules.ts';
import type { ItemResult } from './arrivals.ts';

const largestBatch = 10_000;

/** A payload that nothing can be taken of. */
export type Unreadable = {
  readonly code: 'usage.malformed' | 'usage.batch_too_large';
  readonly params: TextParams;
};
const malformed: Unreadable = { code: 'usage.malformed', params: {} };

// A text above 128 KiB lies outside of the engine's young memory: making one costs more than all that is done with it.
const pieceBytes = 64 * 1024;

/** The value of a JSON text in UTF-8. */
export function readJson(bytes: Buffer): { readonly value: unknown } | Unreadable {
  if (!isUtf8(bytes)) return malformed;
  const value = parsePieces(bytes) ?? parse(bytes.toString('utf8'));
  return value === undefined ? malformed : { value };
}

/** The value of a JSON text; undefined when it is none, which no value is. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * A long array of objects, piece by piece; undefined when it is anything else. A piece that ends at `},{` is one only when the array's own objects meet
 * there: within a string, or deeper, something would be left open and the piece would be no JSON.
 */
function parsePieces(bytes: Buffer): unknown[] | undefined {
  const end = bytes.length - 1;
  if (bytes.length < 2 * pieceBytes || bytes[0] !== '['.charCodeAt(0) || bytes[end] !== ']'.charCodeAt(0))
    return undefined;
  const pieces: unknown[][] = [];
  for (let from = 1; from < end;) {
    const meeting = bytes.indexOf('},{', from + pieceBytes);
    const to = meeting < 0 ? end : meeting + 1;
    const piece = parse(`[${bytes.toString('utf8', from, to)}]`);
    if (!Array.isArray(piece)) return undefined;
    pieces.push(piece);
    from = to + 1;
  }
  return pieces.flat();
}

/** The events of a payload: a structured CloudEvent, or a JSON array of them. */
export function readBatch(bytes: Buffer): readonly unknown[] | Unreadable {
  const read = readJson(bytes);
  if ('code' in read) return read;
  if (!Array.isArray(read.value)) return [read.value];
  return read.value.length > largestBatch
    ? { code: 'usage.batch_too_large', params: { largest: largestBatch } }
    : read.value;
}

/** What a sender is told of its events. */
export function answerOf(
  results: readonly ItemResult[],
  say: (key: string, params?: TextParams) => string,
): Ingested {
  let accepted = 0;
  let duplicates = 0;
  const rejected: Ingested['rejected'] = [];
  for (const [index, result] of results.entries()) {
    if (result.outcome === 'accepted') accepted++;
    else if (result.outcome === 'duplicate') duplicates++;
    else
      rejected.push({
        index,
        id: result.id,
        code: result.code,
        message: refusalText(say, result.code, result.params),
      });
  }
  return { accepted, duplicates, rejected };
}
