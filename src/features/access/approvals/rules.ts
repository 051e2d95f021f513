// Rules of approvals: how an input is shown to the one who decides, and who may decide.
import type { Permission } from '#kernel/permissions.ts';
import type { ApprovalState, Field } from './contract.ts';

/** Values are cut after so many letters: whole catalogues are looked at where they belong. */
export const longestValue = 400;
/** So many fields are shown; more are counted. */
export const mostFields = 100;

const secretName =
  /(password|passphrase|secret|token|credential|certificate|private|metadata|recovery)|(^|[a-z])key$/i;

/** Whether a field of this name is shown to nobody. */
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

function* rowsOf(path: string, value: unknown): Generator<Field> {
  const name = path.split('.').at(-1) ?? '';
  if (value === null || value === undefined || value === '') return;
  if (isSecret(name)) yield { path, value: null };
  else if (isJson(value) && isMoney(value))
    yield { path, value: `${String(value['currency'])} ${String(value['amount'])}` };
  else if (isJson(value))
    for (const [key, each] of Object.entries(value)) yield* rowsOf(`${path}.${key}`, each);
  else if (Array.isArray(value) && value.some((each) => typeof each === 'object'))
    for (const [index, each] of value.entries()) yield* rowsOf(`${path}.${index + 1}`, each);
  else if (Array.isArray(value)) yield { path, value: shown(value.join(', ')) };
  else yield { path, value: shown(value) };
}

/** An input or an answer, field by field; what is a secret by its name, or one of `secrets`, without its value. */
export function readableFields(data: unknown, secrets: readonly string[] = []): Field[] {
  if (!isJson(data)) return data === null || data === undefined ? [] : [{ path: '', value: shown(data) }];
  const rows = Object.entries(data).flatMap(([name, value]) =>
    secrets.includes(name) ? [{ path: name, value: null }] : [...rowsOf(name, value)],
  );
  if (rows.length <= mostFields) return rows;
  return [...rows.slice(0, mostFields), { path: '…', value: `+${rows.length - mostFields}` }];
}

/** The secrets of an answer, in the open, for the one who asked. */
export function secretFields(data: unknown, secrets: readonly string[]): Field[] {
  if (!isJson(data)) return [];
  return secrets.flatMap((path) => {
    const value = data[path];
    if (value === null || value === undefined) return [];
    return [{ path, value: typeof value === 'string' ? value : JSON.stringify(value) }];
  });
}

/** Every text of an input or an answer, whatever it is in. */
export function textsIn(data: unknown): string[] {
  if (typeof data === 'string') return [data];
  if (Array.isArray(data)) return data.flatMap(textsIn);
  return isJson(data) ? Object.values(data).flatMap(textsIn) : [];
}

/** What of a person decides about requests. */
type Decider = {
  readonly userId: string;
  readonly customRole: { readonly permissions: readonly Permission[] } | null;
  readonly key?: unknown;
  readonly viewing?: unknown;
};

/** Whether somebody's role lets them decide about requests of others, or only see them. */
export const hasPermission = ({ customRole }: Decider, verb: 'read' | 'write'): boolean =>
  customRole === null || customRole.permissions.includes(`approvals:${verb}`);

/** Whether somebody decides about requests of others at all: in person, never by a key, and not while looking as somebody else. */
export const decides = (who: Decider): boolean =>
  who.key === undefined && who.viewing === undefined && hasPermission(who, 'write');

/** Whether somebody may agree to a request or reject it: never their own, never by a key, and only while it waits. */
export const mayDecide = (
  who: Decider,
  request: { readonly requestedBy: string; readonly state: ApprovalState },
): boolean => request.state === 'waiting' && request.requestedBy !== who.userId && decides(who);
