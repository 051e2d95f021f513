// Reads any HTTP API that returns a JSON list, page by page. An item counts in the window that contains its
// own time, or in the whole window.
import type { HttpOptions } from '../../contract-sources.ts';
import { fieldAt, fieldText, type Window } from '../../rules.ts';
import { configuredItem } from './configured-item.ts';
import { askSource } from '../ask-source.ts';
import {
  maxReadings,
  SourceFailure,
  type InventoryItem,
  type Reading,
  type Source,
  type SourceSettings,
} from '../source.ts';

type Settings = SourceSettings<HttpOptions>;

const maxPages = 200;

/** RFC 3339 without a fraction, which some APIs cannot parse. */
const wholeSeconds = (moment: Date): string => moment.toISOString().replace('.000Z', 'Z');

/** Fills in the address of a window. */
function addressOf(template: string, { start, end }: Window): string {
  const places: Readonly<Record<string, string>> = {
    start: wholeSeconds(start),
    end: wholeSeconds(end),
    startUnix: String(start.getTime() / 1000),
    endUnix: String(end.getTime() / 1000),
  };
  return template.replace(/\{(\w+)\}/g, (whole, name: string) =>
    places[name] === undefined ? whole : encodeURIComponent(places[name]),
  );
}

/** Yields the items of all pages. */
async function* itemsOf(
  first: string,
  items: string,
  settings: Settings,
  signal: AbortSignal,
): AsyncGenerator<unknown> {
  const { paging } = settings.options;
  let position: string | undefined = paging.kind === 'page' ? String(paging.first) : undefined;
  let count = 0;
  const asked = new Set<string>();
  for (let address: string | undefined = first; address !== undefined;) {
    const url = new URL(address);
    if (position !== undefined) url.searchParams.set(paging.parameter, position);
    if (asked.has(url.href)) throw new SourceFailure('bad_answer', 'the same page again');
    if (asked.size >= maxPages) throw new SourceFailure('too_many_readings', `${maxPages} pages`);
    asked.add(url.href);
    const answer = await askSource(url.href, settings, signal);
    if (answer.status !== 200) throw new SourceFailure('refused_query', JSON.stringify(answer.value));
    const list = listAt(answer.value, items);
    yield* list;
    count += list.length;
    address = undefined;
    if (paging.kind === 'link') address = sameServer(answer.nextLink, first);
    else if (paging.kind === 'cursor') {
      position = fieldText(answer.value, paging.cursorField);
      if (position !== undefined && position !== '') address = first;
    } else if (paging.kind !== 'none' && list.length > 0) {
      position = paging.kind === 'page' ? String(paging.first + asked.size) : String(count);
      address = first;
    }
  }
}

/** The next page must be on the same server: credentials are sent nowhere else. */
function sameServer(next: string | undefined, first: string): string | undefined {
  if (next !== undefined && new URL(next).origin !== new URL(first).origin)
    throw new SourceFailure('bad_answer', 'Link: another server');
  return next;
}

/**
 * Returns the items at a path: a list, or an object of named items such as OpenCost's allocations. Go
 * programs write an empty list as null.
 */
function listAt(answer: unknown, path: string): readonly unknown[] {
  const found: unknown = path === '' ? answer : fieldAt(answer, path);
  if (Array.isArray(found)) return found;
  if (found === null) return [];
  if (typeof found === 'object') return Object.values(found);
  throw new SourceFailure('bad_answer', `no list at ${path === '' ? '.' : path}`);
}

/** The time of an item: RFC 3339, or seconds since 1970. */
function momentOf(item: unknown, field: string): Date {
  const text = fieldText(item, field) ?? '';
  const at = /^\d{9,11}(\.\d+)?$/.test(text) ? new Date(Number(text) * 1000) : new Date(text);
  if (Number.isNaN(at.getTime())) throw new SourceFailure('bad_answer', `no time at ${field}: ${text}`);
  return at;
}

function resourceOf(item: unknown, resourceFields: readonly string[]): string {
  const names = resourceFields.map((field) => fieldText(item, field) ?? '');
  if (names.every((name) => name === ''))
    throw new SourceFailure('bad_answer', `no ${resourceFields.join(', ')} in an item`);
  return names.join('/');
}

/** Converts an item to a reading; undefined if its time lies in another window. */
function readingOf(
  item: unknown,
  { resourceFields, timeField }: HttpOptions,
  window: Window,
): Reading | undefined {
  const resource = resourceOf(item, resourceFields);
  const fields = item as Readonly<Record<string, unknown>>;
  if (timeField === '') return { resource, window, fields };
  const at = momentOf(item, timeField);
  return at >= window.start && at < window.end
    ? { resource, window: { start: at, end: at }, fields }
    : undefined;
}

async function read(settings: Settings, window: Window, signal: AbortSignal): Promise<Reading[]> {
  const readings: Reading[] = [];
  const first = addressOf(settings.address, window);
  for await (const item of itemsOf(first, settings.options.items, settings, signal)) {
    const reading = readingOf(item, settings.options, window);
    if (reading) readings.push(reading);
    if (readings.length > maxReadings) throw new SourceFailure('too_many_readings', String(readings.length));
  }
  return readings;
}

async function inventory(settings: Settings, signal: AbortSignal): Promise<InventoryItem[] | undefined> {
  const { inventory: asked, resourceFields } = settings.options;
  if (!asked) return undefined;
  const items: InventoryItem[] = [];
  for await (const item of itemsOf(asked.address, asked.items, settings, signal)) {
    items.push(configuredItem(resourceOf(item, resourceFields), item, asked.fields));
    if (items.length > maxReadings) throw new SourceFailure('too_many_readings', String(items.length));
  }
  return items;
}

export const httpJson: Source<HttpOptions> = {
  read,
  inventory,
  check: async (settings, window, signal) => `${(await read(settings, window, signal)).length}`,
};
