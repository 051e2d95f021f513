// Queries a connector's source and normalizes its readings.
import type { Options } from '../contract-sources.ts';
import type { Window } from '../rules.ts';
import {
  SourceFailure,
  type InventoryItem,
  type Reading,
  type Source,
  type SourceSettings,
} from './source.ts';
import { httpJson } from './sources/http-json.ts';
import { openCost } from './sources/opencost.ts';
import { openStack } from './sources/openstack.ts';
import { prometheus } from './sources/prometheus.ts';
import { proxmox } from './sources/proxmox.ts';

/** The time limit for reading one window, in milliseconds. */
export const longestReadMs = 100_000;

type Opened = {
  readonly [M in 'check' | 'read']: (window: Window, signal: AbortSignal) => ReturnType<Source[M]>;
} & { readonly inventory: (signal: AbortSignal) => ReturnType<Source['inventory']> };

const bound = <O extends Options>(source: Source<O>, settings: SourceSettings, options: O): Opened => {
  const own = { ...settings, options };
  return {
    check: (window, signal) => source.check(own, window, signal),
    read: (window, signal) => source.read(own, window, signal),
    inventory: (signal) => source.inventory(own, signal),
  };
};

function open(settings: SourceSettings): Opened {
  const { options } = settings;
  switch (options.kind) {
    case 'prometheus':
      return bound(prometheus, settings, options);
    case 'http_json':
      return bound(httpJson, settings, options);
    case 'openstack':
      return bound(openStack, settings, options);
    case 'proxmox':
      return bound(proxmox, settings, options);
    case 'opencost':
      return bound(openCost, settings, options);
  }
}

const within = (signal: AbortSignal): AbortSignal =>
  AbortSignal.any([signal, AbortSignal.timeout(longestReadMs)]);

/** Reads a window. @throws SourceFailure */
export async function readWindow(
  settings: SourceSettings,
  window: Window,
  signal: AbortSignal,
): Promise<Reading[]> {
  return distinct(await open({ ...settings, windowEnd: window.end }).read(window, within(signal)));
}

/** Queries a source for a window; returns the number of readings. @throws SourceFailure */
export async function checkSource(
  settings: SourceSettings,
  window: Window,
  signal: AbortSignal,
): Promise<string> {
  return open(settings).check(window, signal);
}

/**
 * Returns what currently exists at a source, each resource once: lists that shift during paging contain some
 * twice. Undefined if its settings do not configure an inventory.
 * @throws SourceFailure
 */
export async function readInventory(
  settings: SourceSettings,
  signal: AbortSignal,
): Promise<InventoryItem[] | undefined> {
  const items = await open(settings).inventory(within(signal));
  return items && [...new Map(items.map((item) => [item.resource, storableItem(item)])).values()];
}

function storableItem(item: InventoryItem): InventoryItem {
  if (!isStorableName(item.resource))
    throw new SourceFailure('bad_answer', `a resource's name: ${item.resource.slice(0, 100)}`);
  const text = (value: string): string => String(storable(value, 0)).slice(0, longestName);
  return {
    ...item,
    name: text(item.name),
    project: text(item.project),
    size: text(item.size),
    state: text(item.state),
    fields: storable(item.fields, 0) as InventoryItem['fields'],
  };
}

/**
 * Removes duplicate readings: an item on two pages is one. Throws if two readings of the same resource and
 * part differ, because one of them would be lost.
 */
function distinct(readings: readonly Reading[]): Reading[] {
  const byKey = new Map<string, { readonly reading: Reading; readonly content: string }>();
  for (const given of readings) {
    const reading = { ...given, fields: storable(given.fields, 0) as Reading['fields'] };
    if (!isStorableName(reading.resource))
      throw new SourceFailure('bad_answer', `a resource's name: ${reading.resource.slice(0, 100)}`);
    const key = `${reading.window.start.getTime()} ${reading.window.end.getTime()} ${reading.resource}`;
    const content = JSON.stringify(reading.fields);
    const before = byKey.get(key);
    if (before && before.content !== content)
      throw new SourceFailure('same_resource_twice', reading.resource);
    byKey.set(key, { reading, content });
  }
  return [...byKey.values()].map(({ reading }) => reading);
}

const longestName = 500;
const isStorableName = (name: string): boolean =>
  name.length <= longestName && name.isWellFormed() && !/\p{Cc}/u.test(name);

const deepest = 40;
/**
 * Makes fields storable in PostgreSQL: without NUL and lone surrogates, for which it rejects the whole value.
 */
function storable(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return value.toWellFormed().replaceAll('\0', '');
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= deepest) throw new SourceFailure('bad_answer', `more than ${deepest} levels`);
  if (Array.isArray(value)) return value.map((each) => storable(each, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [storable(name, depth), storable(each, depth + 1)]),
  );
}
