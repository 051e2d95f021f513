// Checks a licence file without any connection: signature, days, machine, revocations. Shares no code with the console.
//   node verify-licence.ts FILE --machine machine.json [--key FILE] [--revocations FILE] [--state FILE] [--json]
// Exit code 0: valid. 1: not valid; the reason is printed. 2: the check could not run (a file is missing or damaged).
import { createHash, createHmac, createPublicKey, verify, type KeyObject } from 'node:crypto';
import { readFileSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
type Fields = { readonly [name: string]: Json };
export type Reason =
  | 'not_a_licence'
  | 'unknown_key'
  | 'bad_signature'
  | 'expired'
  | 'clock_set_back'
  | 'other_machine'
  | 'revoked'
  | 'bad_revocations'
  | 'old_revocations';
/** `payload` is there once its signature was found good. */
export type Verdict = {
  readonly isValid: boolean;
  readonly reason: Reason | null;
  readonly message: string;
  readonly payload: Fields | null;
  readonly matched: number;
  readonly threshold: number;
  readonly warnings: readonly string[];
};
/** What is kept between checks: the latest moment and the highest list of revocations ever seen. */
export type State = { readonly lastSeen: string; readonly revocations: number };
export type Question = {
  readonly licence: string;
  readonly keys: readonly string[];
  readonly machine: Fields;
  readonly now: Date;
  readonly revocations?: string;
  readonly state?: State;
};

class NotValid extends Error {
  readonly reason: Reason;
  constructor(reason: Reason, message: string) {
    super(message);
    this.reason = reason;
  }
}
const maxBytes = 16 * 1024 * 1024;
/** Clocks of two machines differ by a little. */
const clockToleranceMs = 10 * 60_000;

const isFields = (value: Json | undefined): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);
const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

/** Canonical JSON (RFC 8785) of whole numbers, texts and what holds them. */
function canonical(value: Json): string {
  if (typeof value === 'number' && !Number.isSafeInteger(value)) throw new Error('not a whole number');
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (isList(value)) return `[${value.map(canonical).join(',')}]`;
  const fields = value as Fields;
  return `{${Object.keys(fields)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonical(fields[name] ?? null)}`)
    .join(',')}}`;
}

/** What a signed file says, once its signature is found good; `purpose` keeps one kind of file from passing for another. */
function opened(text: string, purpose: string, keys: ReadonlyMap<string, KeyObject>): Fields {
  const base64 = text.replace(/\r?\n$/, '');
  const bytes = Buffer.from(base64, 'base64');
  // Bits that base64 does not use count, too: there is one text for these bytes.
  if (base64.length === 0 || bytes.length > maxBytes || bytes.toString('base64') !== base64)
    throw new NotValid('not_a_licence', 'This is no licence file, or it was damaged.');
  let envelope: Json;
  try {
    const json = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    envelope = JSON.parse(json) as Json;
    // A name that stands twice, spaces, or anything else that could be read in two ways does not come out the same.
    if (canonical(envelope) !== json) throw new Error('not canonical');
  } catch {
    throw new NotValid('not_a_licence', 'This is no licence file, or it was damaged.');
  }
  if (
    !isFields(envelope) ||
    Object.keys(envelope).join() !== 'algorithm,keyId,payload,signature' ||
    !isFields(envelope['payload'])
  )
    throw new NotValid('not_a_licence', 'This is no licence file, or it was damaged.');
  const { algorithm, keyId, payload, signature } = envelope;
  if (algorithm !== 'ed25519') throw new NotValid('bad_signature', 'The licence is not signed with Ed25519.');
  const key = keys.get(textOf(keyId));
  if (!key)
    throw new NotValid(
      'unknown_key',
      `The licence is signed with key ${textOf(keyId)}, which is not among the public keys. Download the current public keys.`,
    );
  const signed = Buffer.from(`${purpose}\n${canonical({ algorithm, keyId: textOf(keyId), payload })}`);
  const sealed = Buffer.from(textOf(signature), 'base64url');
  if (sealed.toString('base64url') !== signature || !verify(null, signed, key, sealed))
    throw new NotValid(
      'bad_signature',
      'The signature does not match this licence: the licence was changed.',
    );
  if (payload['format'] !== purpose || payload['version'] !== 1)
    throw new NotValid('not_a_licence', 'This program does not support the format or version of this file.');
  return payload;
}

/** Ed25519 public keys (SPKI in PEM) by their ids, which are made anew here. */
function keyring(pems: readonly string[]): Map<string, KeyObject> {
  const keys = new Map<string, KeyObject>();
  for (const pem of pems) {
    const key = createPublicKey(pem);
    if (key.asymmetricKeyType !== 'ed25519') throw new Error('A public key is not an Ed25519 key.');
    keys.set(
      createHash('sha256')
        .update(key.export({ type: 'spki', format: 'pem' }))
        .digest('hex')
        .slice(0, 16),
      key,
    );
  }
  return keys;
}

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

/** A value as it is compared; undefined when many machines share it. */
function plain(kind: string, value: string): string | undefined {
  if (kind === 'macAddresses') {
    const hex = value.toLowerCase().replace(/[^0-9a-f]/g, '');
    return hex.length === 12 && !/^(0242|0a0027|000000000000$|ffffffffffff$)/.test(hex) ? hex : undefined;
  }
  const text = value.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase();
  return text.length < 2 || placeholders.has(text) || /^([^\s-])\1*$/.test(text.replace(/[\s-]/g, ''))
    ? undefined
    : text;
}

/** How many of the licence's parts this machine has, and how many it must have. */
function matchOf(fingerprint: Json | undefined, machine: Fields): { matched: number; threshold: number } {
  if (
    !isFields(fingerprint) ||
    !isList(fingerprint['parts']) ||
    typeof fingerprint['threshold'] !== 'number' ||
    fingerprint['threshold'] < 2
  )
    throw new NotValid('not_a_licence', 'The licence is not bound to a machine.');
  const salt = Buffer.from(textOf(fingerprint['salt']), 'base64url');
  let matched = 0;
  for (const part of fingerprint['parts']) {
    if (!isFields(part) || !isList(part['hashes'])) continue;
    const kind = textOf(part['kind']);
    const here = machine[kind];
    const values = (isList(here) ? here.map(textOf) : [textOf(here)])
      .map((value) => plain(kind, value))
      .filter((value) => value !== undefined);
    const hashes = new Set(part['hashes']);
    if (
      values.some((value) =>
        hashes.has(createHmac('sha256', salt).update(`${kind}\n${value}`).digest('base64url')),
      )
    )
      matched += 1;
  }
  return { matched, threshold: fingerprint['threshold'] };
}

const momentOf = (value: Json | undefined): number => {
  const moment = Date.parse(textOf(value));
  if (Number.isNaN(moment)) throw new NotValid('not_a_licence', 'The licence has no valid dates.');
  return moment;
};

/** Judges a licence, and says what to keep for the next check. Touches neither clock nor disk. */
export function judge({ licence, keys: pems, machine, now, revocations, state }: Question): {
  verdict: Verdict;
  state: State;
} {
  const warnings: string[] = [];
  let [payload, matched, threshold]: [Fields | null, number, number] = [null, 0, 0];
  const latest = state ? Date.parse(state.lastSeen) : 0;
  let number = state?.revocations ?? 0;
  const newState = (): State => ({
    lastSeen: new Date(Math.max(latest, now.getTime())).toISOString(),
    revocations: number,
  });
  try {
    const keys = keyring(pems);
    payload = opened(licence, 'skytally-licence', keys);
    const list = revocations === undefined ? undefined : revocationsOf(revocations, keys);
    // Time never stood before what was signed or seen.
    const known = Math.max(latest, momentOf(payload['issuedAt']), list ? momentOf(list['issuedAt']) : 0);
    if (now.getTime() + clockToleranceMs < known)
      throw new NotValid(
        'clock_set_back',
        `The clock says ${now.toISOString()}, but an earlier check ran at ${new Date(known).toISOString()}. Correct the clock.`,
      );
    if (now.getTime() >= momentOf(payload['expiresAt']))
      throw new NotValid(
        'expired',
        `The licence expired at ${textOf(payload['expiresAt'])}. Ask your provider to renew it.`,
      );
    if (list) {
      if (typeof list['number'] !== 'number' || list['number'] < number)
        throw new NotValid(
          'old_revocations',
          `The revocation list has number ${canonical(list['number'] ?? null)}, but number ${number} was used before. Download the current list.`,
        );
      number = list['number'];
      if (now.getTime() > momentOf(list['nextUpdate']))
        warnings.push(
          `The revocation list is out of date: it was to be updated by ${textOf(list['nextUpdate'])}.`,
        );
      const licenceId = payload['licenceId'];
      const found = isList(list['revoked'])
        ? list['revoked'].find((each) => isFields(each) && each['licenceId'] === licenceId)
        : undefined;
      if (isFields(found))
        throw new NotValid('revoked', `The licence was revoked at ${textOf(found['revokedAt'])}.`);
    }
    ({ matched, threshold } = matchOf(payload['fingerprint'], machine));
    if (matched < threshold)
      throw new NotValid(
        'other_machine',
        `The licence belongs to another machine: ${matched} of its components match, ${threshold} are required.`,
      );
    return {
      verdict: {
        isValid: true,
        reason: null,
        message: `The licence is valid until ${textOf(payload['expiresAt'])}.`,
        payload,
        matched,
        threshold,
        warnings,
      },
      state: newState(),
    };
  } catch (error) {
    if (!(error instanceof NotValid)) throw error;
    return {
      verdict: {
        isValid: false,
        reason: error.reason,
        message: error.message,
        payload,
        matched,
        threshold,
        warnings,
      },
      state: newState(),
    };
  }
}

function revocationsOf(text: string, keys: ReadonlyMap<string, KeyObject>): Fields {
  try {
    return opened(text, 'skytally-licence-revocations', keys);
  } catch (error) {
    throw error instanceof NotValid
      ? new NotValid('bad_revocations', `The revocation list cannot be trusted. ${error.message}`)
      : error;
  }
}

/** The public keys of a file: PEM, or what the console answers. */
export function keysOf(text: string): string[] {
  if (text.trimStart().startsWith('-----BEGIN'))
    return text.match(/-----BEGIN PUBLIC KEY-----[^-]+-----END PUBLIC KEY-----/g) ?? [];
  const read = JSON.parse(text) as Json;
  const data = isFields(read) && isFields(read['data']) ? read['data'] : read;
  const listed = isFields(data) && isList(data['keys']) ? data['keys'] : [data];
  return listed.flatMap((each) =>
    isFields(each) && typeof each['publicKey'] === 'string' ? [each['publicKey']] : [],
  );
}

function fileText(path: string): string {
  const bytes = readFileSync(path);
  if (bytes.length > 2 * maxBytes) throw new Error(`${path} is too big.`);
  return bytes.toString('latin1');
}
const jsonFile = (path: string): Fields => {
  const read = JSON.parse(readFileSync(path, 'utf8').replace(/^\uFEFF/, '')) as Json;
  if (!isFields(read)) throw new Error(`${path} holds no object.`);
  return read;
};

function stateOf(path: string): State | undefined {
  try {
    const read = jsonFile(path);
    if (Number.isNaN(Date.parse(textOf(read['lastSeen']))) || typeof read['revocations'] !== 'number')
      throw new Error(`${path} is damaged.`);
    return { lastSeen: textOf(read['lastSeen']), revocations: read['revocations'] };
  } catch (error) {
    // Only one that was never there may be missing.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

const usage =
  'Use: node verify-licence FILE --machine machine.json [--key public-keys.json] [--revocations FILE] [--state FILE] [--json]';
const options = {
  machine: { type: 'string' },
  key: { type: 'string' },
  revocations: { type: 'string' },
  state: { type: 'string' },
  json: { type: 'boolean' },
} as const;

function run(): number {
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const [path] = positionals;
  if (positionals.length !== 1 || path === undefined || values.machine === undefined) throw new Error(usage);
  const keys = keysOf(
    readFileSync(values.key ?? fileURLToPath(new URL('public-keys.json', import.meta.url)), 'utf8'),
  );
  if (keys.length === 0) throw new Error('The file passed with --key contains no public key.');
  const before = values.state === undefined ? undefined : stateOf(values.state);
  const { verdict, state } = judge({
    licence: fileText(path),
    keys,
    machine: jsonFile(values.machine),
    now: new Date(),
    ...(values.revocations !== undefined && { revocations: fileText(values.revocations) }),
    ...(before && { state: before }),
  });
  if (values.state !== undefined) {
    // Whole or not at all: a check that is cut off leaves the former state.
    writeFileSync(`${values.state}.new`, `${JSON.stringify(state)}\n`, { mode: 0o600 });
    renameSync(`${values.state}.new`, values.state);
  }
  const { payload, ...outcome } = verdict;
  process.stdout.write(
    values.json
      ? `${JSON.stringify({ ...outcome, licence: payload })}\n`
      : `${verdict.isValid ? 'VALID' : 'NOT VALID'}  ${verdict.message}\n${verdict.warnings.map((each) => `warning  ${each}\n`).join('')}`,
  );
  return verdict.isValid ? 0 : 1;
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  try {
    process.exitCode = run();
  } catch (error) {
    process.stderr.write(
      `The licence could not be checked: ${error instanceof Error ? error.message : String(error)}\n`,
    );
    process.exitCode = 2;
  }
}
