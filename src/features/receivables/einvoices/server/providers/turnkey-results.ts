// The Ministry platform's responses to our messages. Turnkey unpacks its summaries (SummaryResult) once a
// day; they list what succeeded and what failed. An Admin can record the same manually.
import { create } from 'xmlbuilder2';
import * as z from 'zod/mini';
import { failureWords } from '../../rules-words.ts';
import type { UploadState } from '../provider.ts';
import { migTypes, type MigType } from './mig-schema.ts';
import {
  readText,
  resultsFolder,
  stateName,
  withFiles,
  writeText,
  type TurnkeyPlaces,
} from './turnkey-places.ts';

/** The response to one message; `key` is the number of the invoice or allowance. */
export type TurnkeyResult = { readonly type: MigType; readonly key: string; readonly state: UploadState };

const stored = z.union([
  z.object({ state: z.enum(['uploading', 'uploaded']) }),
  z.object({ state: z.literal('failed'), code: z.string(), reason: z.string() }),
]);

/**
 * Returns the last known state of a message; `uploading` before any response. Throws {@link ProviderUnsure}
 * if the files fail.
 */
export async function turnkeyState(
  { files, root }: TurnkeyPlaces,
  type: MigType,
  key: string,
): Promise<UploadState> {
  const text = await withFiles(() => readText(files, stateName(root, type, key)));
  return text === undefined ? { state: 'uploading' } : stored.parse(JSON.parse(text));
}

/** Stores the response to a message: from a summary, or from an Admin who looked into Turnkey. */
export async function setTurnkeyState(
  { files, root }: TurnkeyPlaces,
  { type, key, state }: TurnkeyResult,
): Promise<void> {
  await withFiles(() => writeText(files, stateName(root, type, key), JSON.stringify(state)));
}

/** An XML element as plain data: text, or children by name, each one or several. */
type Parsed = { readonly [name: string]: unknown };
const isParsed = (value: unknown): value is Parsed =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns all elements with a name, at any depth. */
function partsNamed(value: unknown, name: string): unknown[] {
  if (Array.isArray(value)) return value.flatMap((each) => partsNamed(each, name));
  if (!isParsed(value)) return [];
  return Object.entries(value).flatMap(([key, part]) =>
    key === name ? (Array.isArray(part) ? part : [part]) : partsNamed(part, name),
  );
}
const textsNamed = (value: unknown, name: string): string[] =>
  partsNamed(value, name).filter((each) => typeof each === 'string');

const referencePattern = /^[0-9A-Za-z]{1,16}$/;

/**
 * Parses a SummaryResult (schema SummaryResult.xsd of Turnkey 3.2: DetailList, Message with Info and Result,
 * Good and Failed with ReferenceNumber); undefined if the text is none.
 */
export function readSummary(xml: string): TurnkeyResult[] | undefined {
  let document: unknown;
  try {
    document = create(xml).end({ format: 'object' });
  } catch {
    return undefined;
  }
  const [summary] = partsNamed(document, 'SummaryResult');
  if (!isParsed(summary)) return undefined;
  return partsNamed(summary, 'Message').flatMap((message): TurnkeyResult[] => {
    const type = migTypes.find((each) => textsNamed(message, 'MessageType').includes(each));
    if (type === undefined) return [];
    const of = (name: string, state: UploadState): TurnkeyResult[] =>
      partsNamed(message, name)
        .flatMap((part) => textsNamed(part, 'ReferenceNumber'))
        .filter((key) => referencePattern.test(key))
        .map((key) => ({ type, key, state }));
    return [
      ...of('Good', { state: 'uploaded' }),
      ...of('Failed', {
        state: 'failed',
        code: 'Failed',
        reason: failureWords.turnkey,
      }),
    ];
  });
}

const readable = /^[\w.+-]+$/;

/**
 * Reads the summaries waiting in `results/` and moves each away, whether readable or not. Reading a summary
 * twice has no effect. Files whose names the store cannot hold are left in place. Throws {@link
 * ProviderUnsure} if the files fail.
 */
export async function takeResults(places: TurnkeyPlaces): Promise<void> {
  const { files, root } = places;
  const folder = resultsFolder(root);
  const waiting = await withFiles(() => files.list(folder));
  for (const { name } of waiting) {
    const bare = name.slice(folder.length + 1);
    if (!readable.test(bare)) continue;
    const text = await withFiles(() => readText(files, name));
    if (text === undefined) continue;
    const results = readSummary(text);
    for (const result of results ?? []) await setTurnkeyState(places, result);
    const kept = `${root}/${results === undefined ? 'results-unreadable' : 'results-read'}/${bare}`;
    await withFiles(() => writeText(files, kept, text));
    await withFiles(() => files.remove([name]));
  }
}
