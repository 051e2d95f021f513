// Reads a machine-details file: which parts identify a machine, and how many of them must stay the same.
import { readJson, type Json, type Place } from './rules-json.ts';

/** The longest accepted machine-details file, in bytes. Real ones are smaller than 2 kB. */
export const maxMachineBytes = 64_000;
const maxDepth = 8;
const longestText = 255;
const longestList = 64;

/** Hardware parts, which differ between machines. */
const hardKinds = ['systemUuid', 'systemSerial', 'boardSerial', 'macAddresses', 'diskSerials'] as const;
/** Parts of the installation, which a copy of it shares. */
const softKinds = ['machineId', 'cpu', 'hostname'] as const;
export const partKinds = [...hardKinds, ...softKinds] as const;
export type PartKind = (typeof partKinds)[number];
const listKinds = new Set<PartKind>(['macAddresses', 'diskSerials']);

/** A part as compared: any one of its values is enough. */
export type Part = { readonly kind: PartKind; readonly values: readonly string[] };
export type Machine = {
  readonly hostname: string;
  readonly platform: string;
  readonly parts: readonly Part[];
  /** Values that many machines share and that are therefore ignored. */
  readonly ignored: readonly {
    readonly kind: PartKind;
    readonly value: string;
  }[];
};
export type MachineMistake = {
  readonly code: MachineMistakeCode;
  readonly params: Readonly<Record<string, string | number>>;
};
type MachineMistakeCode =
  | 'licensing.machine_too_big'
  | 'licensing.machine_syntax'
  | 'licensing.machine_twice'
  | 'licensing.machine_deep'
  | 'licensing.machine_no_object'
  | 'licensing.machine_field'
  | 'licensing.machine_too_few'
  | 'licensing.machine_no_hardware';

/** Fewer parts do not identify a machine. */
const minParts = 3;

/**
 * How many of n parts must match: two thirds, rounded up. One changed part never invalidates a license (3
 * parts: 2, 4: 3, 5: 4, 6: 4, 8: 6), and with at least two hardware parts, the three installation parts,
 * which a copied disk has, never suffice.
 */
export function thresholdOf(parts: number): number {
  return Math.ceil((2 * parts) / 3);
}

/**
 * Whether too few hardware parts are known to distinguish a copied installation from the original machine.
 */
export function isWeak(parts: readonly Pick<Part, 'kind'>[]): boolean {
  return parts.filter(({ kind }) => (hardKinds as readonly string[]).includes(kind)).length < 2;
}

/** Reads the file's text. Unknown fields are ignored, because a later collector may write more. */
export function readMachine(
  text: string,
): { readonly machine: Machine } | { readonly mistake: MachineMistake } {
  if (text.length > maxMachineBytes || bytesOf(text) > maxMachineBytes)
    return mistake('licensing.machine_too_big', { most: maxMachineBytes / 1000 });
  const read = readJson(text.replace(/^\uFEFF/, ''), maxDepth);
  if ('mistake' in read) return mistake(`licensing.machine_${read.mistake.kind}`, read.mistake.place);
  if (!isObject(read.value)) return mistake('licensing.machine_no_object', { line: 1 });
  const found: Part[] = [];
  const ignored: Machine['ignored'][number][] = [];
  for (const kind of partKinds) {
    const values = valuesOf(kind, read.value[kind]);
    if (!values) return fieldMistake(kind, read.placeOf(kind));
    const normalized = values.map((value) => ({ value, plain: plainValue(kind, value) }));
    ignored.push(
      ...normalized
        .filter(({ value, plain }) => plain === undefined && value.trim() !== '')
        .map(({ value }) => ({ kind, value: value.trim() })),
    );
    const plain = [...new Set(normalized.flatMap((each) => each.plain ?? []))].toSorted();
    if (plain.length > 0) found.push({ kind, values: plain });
  }
  const [hostname, platform] = [textOf(read.value['hostname']), textOf(read.value['platform'])];
  if (hostname === undefined || platform === undefined)
    return fieldMistake('platform', read.placeOf('platform'));
  if (found.length < minParts)
    return mistake('licensing.machine_too_few', { count: found.length, least: minParts });
  if (!found.some(({ kind }) => (hardKinds as readonly string[]).includes(kind)))
    return mistake('licensing.machine_no_hardware', {});
  return { machine: { hostname: hostname.trim(), platform: platform.trim(), parts: found, ignored } };
}

/** The length of a text in UTF-8 bytes. */
const bytesOf = (text: string): number =>
  [...text].reduce(
    (sum, letter) => sum + (letter <= '\u007f' ? 1 : letter <= '\u07ff' ? 2 : letter.length === 1 ? 3 : 4),
    0,
  );
const mistake = (
  code: MachineMistakeCode,
  params: MachineMistake['params'],
): { mistake: MachineMistake } => ({ mistake: { code, params } });
const fieldMistake = (field: string, place: Place): { mistake: MachineMistake } =>
  mistake('licensing.machine_field', { field, ...place });
const isObject = (value: Json): value is { readonly [name: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: Json): value is string =>
  typeof value === 'string' &&
  value.length <= longestText &&
  // eslint-disable-next-line no-control-regex
  !/[\u0000-\u001f\u007f]/.test(value) &&
  value.isWellFormed();

/** The text of a field, empty when it is absent or null; undefined when it has another type. */
function textOf(value: Json | undefined): string | undefined {
  if (value === undefined || value === null) return '';
  return isText(value) ? value : undefined;
}

/** The texts of a field, empty when it is absent or null; undefined when it has another type. */
function valuesOf(kind: PartKind, value: Json | undefined): readonly string[] | undefined {
  if (value === undefined || value === null) return [];
  if (!listKinds.has(kind)) {
    const one = textOf(value);
    return one === undefined ? undefined : [one];
  }
  if (!Array.isArray(value)) return undefined;
  const items: readonly Json[] = value;
  const texts = items.filter(isText);
  return texts.length === items.length && items.length <= longestList ? texts : undefined;
}

/** Manufacturers' placeholders for a serial number, normalized for comparison. */
const placeholders = new Set([
  'to be filled by o.e.m.',
  'to be filled by oem',
  'default string',
  'system serial number',
  'system product name',
  'base board serial number',
  'chassis serial number',
  'not specified',
  'not applicable',
  'not available',
  'none',
  'null',
  'n/a',
  'na',
  'unknown',
  'invalid',
  'oem',
  'o.e.m.',
  'empty',
  'serial',
  '123456789',
  '1234567890',
  '0123456789',
  'xxxxxxxx',
  'localhost',
  'localhost.localdomain',
  'uninitialized',
  '03000200-0400-0500-0006-000700080009',
  '12345678-1234-5678-90ab-cddeefaabbcc',
]);
/** Docker's own prefix (02:42), VirtualBox's host-only network, and invalid addresses. */
const sharedMac = /^(0242|0a0027|000000000000$|ffffffffffff$)/;

/** Normalizes a value for comparison (case and whitespace); undefined when many machines share it. */
function plainValue(kind: PartKind, value: string): string | undefined {
  if (kind === 'macAddresses') {
    const hex = value.toLowerCase().replace(/[^0-9a-f]/g, '');
    return hex.length === 12 && !sharedMac.test(hex) ? hex : undefined;
  }
  const plain = value.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase();
  // A single repeated character is not a serial number: 0000-0000, ffffffff, ........
  return plain.length < 2 || placeholders.has(plain) || /^([^\s-])\1*$/.test(plain.replace(/[\s-]/g, ''))
    ? undefined
    : plain;
}
