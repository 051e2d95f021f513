// Rules of approvals: how an input is shown to the approver, and who can decide.
import type { Permission } from '#kernel/permissions.ts';
import type { ApprovalState, Field } from './contract.ts';

/** Longer values are cut to this many characters: whole catalogs are reviewed on their own screens. */
export const longestValue = 400;
/** At most this many fields are shown; the rest are only counted. */
export const mostFields = 100;
/** Of a list of ids, at most this many names are shown; the rest are only counted. */
export const mostNames = 50;

/** What ids stand for, by id. */
type Names = ReadonlyMap<string, string>;

const secretName =
  /(password|passphrase|secret|token|credential|certificate|private|metadata|recovery)|(^|[a-z])key$/i;

/** Whether a field of this name holds a secret, which is never shown. */
export const isSecret = (name: string): boolean => secretName.test(name);

type Json = { readonly [key: string]: unknown };
const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isMoney = (value: Json): boolean =>
  Object.keys(value).toSorted().join() === 'amount,currency' &&
  typeof value['amount'] === 'string' &&
  typeof value['currency'] === 'string';

function shown(value: unknown): string {
  const whole = typeof value === 'string' ? value : JSON.stringify(value);
  return whole.length > longestValue ? `${whole.slice(0, longestValue)}…` : whole;
}

/** The names of the ids among `values`; an id without a known name stays as it is. */
function namesAmong(values: readonly unknown[], names: Names): Pick<Field, 'names'> {
  const texts = values.map(String);
  if (!texts.some((text) => names.has(text))) return {};
  const named = texts.slice(0, mostNames).map((text) => names.get(text) ?? text);
  return { names: texts.length > mostNames ? [...named, `+${texts.length - mostNames}`] : named };
}

function* rowsOf(path: string, value: unknown, names: Names): Generator<Field> {
  const name = path.split('.').at(-1) ?? '';
  if (value === null || value === undefined || value === '') return;
  if (isSecret(name)) yield { path, value: null };
  else if (isJson(value) && isMoney(value))
    yield { path, value: `${String(value['currency'])} ${String(value['amount'])}` };
  else if (isJson(value))
    for (const [key, each] of Object.entries(value)) yield* rowsOf(`${path}.${key}`, each, names);
  else if (Array.isArray(value) && value.some((each) => typeof each === 'object'))
    for (const [index, each] of value.entries()) yield* rowsOf(`${path}.${index + 1}`, each, names);
  else if (Array.isArray(value)) yield { path, value: shown(value.join(', ')), ...namesAmong(value, names) };
  else yield { path, value: shown(value), ...namesAmong([value], names) };
}

/**
 * Lists the fields of an input or an answer. Fields named like a secret, or whose value is in `secrets`, have
 * a null value; ids whose names are in `names` are named.
 */
export function readableFields(
  data: unknown,
  secrets: readonly string[] = [],
  names: Names = new Map(),
): Field[] {
  if (!isJson(data)) return data === null || data === undefined ? [] : [{ path: '', value: shown(data) }];
  const rows = Object.entries(data).flatMap(([name, value]) =>
    secrets.includes(name) ? [{ path: name, value: null }] : [...rowsOf(name, value, names)],
  );
  if (rows.length <= mostFields) return rows;
  return [...rows.slice(0, mostFields), { path: '…', value: `+${rows.length - mostFields}` }];
}

/** Lists the secrets of an answer in plain text, for the person who made the request. */
export function secretFields(data: unknown, secrets: readonly string[]): Field[] {
  if (!isJson(data)) return [];
  return secrets.flatMap((path) => {
    const value = data[path];
    if (value === null || value === undefined) return [];
    return [{ path, value: typeof value === 'string' ? value : JSON.stringify(value) }];
  });
}

/** Returns every string in an input or an answer, at any depth. */
export function textsIn(data: unknown): string[] {
  if (typeof data === 'string') return [data];
  if (Array.isArray(data)) return data.flatMap(textsIn);
  return isJson(data) ? Object.values(data).flatMap(textsIn) : [];
}

/** The properties of a person on which the right to decide depends. */
type Decider = {
  readonly userId: string;
  readonly customRole: { readonly permissions: readonly Permission[] } | null;
  readonly key?: unknown;
  readonly viewing?: unknown;
};

/** Whether a person's role lets them see ('read') or decide on ('write') other people's requests. */
export const hasPermission = ({ customRole }: Decider, verb: 'read' | 'write'): boolean =>
  customRole === null || customRole.permissions.includes(`approvals:${verb}`);

/**
 * Whether a person can decide on other people's requests at all: in person, never through a key, and not
 * while viewing as another user.
 */
export const decides = (who: Decider): boolean =>
  who.key === undefined && who.viewing === undefined && hasPermission(who, 'write');

/**
 * Whether a person can approve or reject a request: never their own, never through a key, and only while it
 * is waiting.
 */
export const mayDecide = (
  who: Decider,
  request: { readonly requestedBy: string; readonly state: ApprovalState },
): boolean => request.state === 'waiting' && request.requestedBy !== who.userId && decides(who);
