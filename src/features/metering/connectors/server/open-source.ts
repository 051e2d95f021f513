// The source of a connector, with its readings put in order.
import type { Options } from '../contract.ts';
import type { Window } from '../rules.ts';
import { SourceFailure, type Reading, type SourceSettings } from './source.ts';
import { httpJson } from './sources/http-json.ts';
import { prometheus } from './sources/prometheus.ts';

/** The longest that the reading of one window may take, in milliseconds. */
export const longestReadMs = 100_000;

const withOptions = <O extends Options>(settings: SourceSettings, options: O): SourceSettings<O> => ({
  ...settings,
  options,
});

/** Reads a window. @throws SourceFailure */
export async function readWindow(
  settings: SourceSettings,
  window: Window,
  signal: AbortSignal,
): Promise<Reading[]> {
  const { options } = settings;
  const within = AbortSignal.any([signal, AbortSignal.timeout(longestReadMs)]);
  return distinct(
    options.kind === 'prometheus'
      ? await prometheus.read(withOptions(settings, options), window, within)
      : await httpJson.read(withOptions(settings, options), window, within),
  );
}

/** Asks a source for a window; answers how many readings it has. @throws SourceFailure */
export async function checkSource(
  settings: SourceSettings,
  window: Window,
  signal: AbortSignal,
): Promise<string> {
  const { options } = settings;
  return options.kind === 'prometheus'
    ? prometheus.check(withOptions(settings, options), window, signal)
    : httpJson.check(withOptions(settings, options), window, signal);
}

/**
 * Each resource and part once: an item that lies on two pages is one. Two with different contents cannot be told apart, so that one of
 * them would be lost.
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
/** Fields as PostgreSQL can store them: without NUL and halves of characters, which it refuses with everything around them. */
function storable(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return value.toWellFormed().replaceAll('\0', '');
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= deepest) throw new SourceFailure('bad_answer', `more than ${deepest} levels`);
  if (Array.isArray(value)) return value.map((each) => storable(each, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [storable(name, depth), storable(each, depth + 1)]),
  );
}
