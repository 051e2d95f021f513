// The JSON of metering requests and responses, the same over HTTP and MQTT.
import { isUtf8 } from 'node:buffer';
import type { TextParams } from '#kernel/text.ts';
import type { RawInput } from '#platform/server/unit-of-work/feature.ts';
import type { Ingested } from '../contract.ts';
import { eventOfHeaders, isBinaryMode, rejectionText } from '../rules.ts';
import type { ItemResult } from './incoming-events.ts';

const largestBatch = 10_000;

/** Why a payload cannot be read. */
export type Unreadable = {
  readonly code: 'usage.malformed' | 'usage.batch_too_large';
  readonly params: TextParams;
};
const malformed: Unreadable = { code: 'usage.malformed', params: {} };

/** Parses a JSON text in UTF-8. */
function readJson(bytes: Buffer): { readonly value: unknown } | Unreadable {
  if (!isUtf8(bytes)) return malformed;
  try {
    return { value: JSON.parse(bytes.toString('utf8')) };
  } catch {
    return malformed;
  }
}

/** Reads the events of a request in any content mode: binary and structured carry one, batched any number. */
export function readRequest({ bytes, mediaType, headers }: RawInput): readonly unknown[] | Unreadable {
  if (!isBinaryMode(headers, mediaType)) return readBatch(bytes);
  if (bytes.length === 0) return [eventOfHeaders(headers, undefined)];
  const body = readJson(bytes);
  return 'code' in body ? body : [eventOfHeaders(headers, body.value)];
}

/** Reads the events of a payload: a structured CloudEvent, or a JSON array of them. */
export function readBatch(bytes: Buffer): readonly unknown[] | Unreadable {
  const read = readJson(bytes);
  if ('code' in read) return read;
  if (!Array.isArray(read.value)) return [read.value];
  return read.value.length > largestBatch
    ? { code: 'usage.batch_too_large', params: { largest: largestBatch } }
    : read.value;
}

/** Builds the response to the sender of events. */
export function answerOf(
  results: readonly ItemResult[],
  translate: (key: string, params?: TextParams) => string,
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
        message: rejectionText(translate, result.code, result.params),
      });
  }
  return { accepted, duplicates, rejected };
}
