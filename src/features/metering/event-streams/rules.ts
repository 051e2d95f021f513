// Rules of event streams: addresses, the events of a message, rates and retry delays. No clock, no database.
import { decimalText } from '#kernel/decimal.ts';
import { parseExactly } from '#kernel/exact-json.ts';
import type { TextParams } from '#kernel/text.ts';
import { minuteMs } from '#kernel/durations.ts';
import { decimalOf } from '#features/metering/connectors/rules.ts';
import {
  maxAddresses,
  type Credentials,
  type StreamKind as AnyKind,
  type rejectionCodes,
} from './contract.ts';

/** A server of a broker. */
export type Address = { readonly host: string; readonly port: number; readonly isTls: boolean };
export type AddressIssue = 'malformed' | 'scheme' | 'credentials' | 'too_many';

/** The kinds whose addresses are servers. */
export type BrokerKind = Exclude<AnyKind, 'files'>;

/** The schemes of each kind, plain and over TLS, and the default ports. */
const schemes: Readonly<
  Record<BrokerKind, Readonly<Record<string, readonly [isTls: boolean, port: number]>>>
> = {
  nats: { nats: [false, 4222], tls: [true, 4222] },
  kafka: { kafka: [false, 9092], 'kafka+tls': [true, 9093] },
  mqtt: { mqtt: [false, 1883], mqtts: [true, 8883] },
};
export const schemesOf = (kind: BrokerKind): readonly string[] => Object.keys(schemes[kind]);

const addressPattern = /^([a-z+]+):\/\/(?:([^\s/@]*)@)?(\[[0-9a-f:]+\]|[A-Za-z0-9._-]+)(?::(\d{1,5}))?\/?$/i;

/** Parses the servers of an address, separated by commas; returns the error if it is invalid. */
export function readAddresses(typed: string, kind: BrokerKind): readonly Address[] | AddressIssue {
  const parts = typed.split(',').map((part) => part.trim());
  if (parts.length > maxAddresses) return 'too_many';
  const read: Address[] = [];
  for (const part of parts) {
    const [match, scheme = '', user, host = '', port] = addressPattern.exec(part) ?? [];
    if (match === undefined) return 'malformed';
    if (user !== undefined) return 'credentials';
    const known = schemes[kind][scheme.toLowerCase()];
    if (!known) return 'scheme';
    const number = port === undefined ? known[1] : Number(port);
    if (number < 1 || number > 65_535) return 'malformed';
    read.push({ host: host.replace(/^\[(.*)\]$/, '$1').toLowerCase(), port: number, isTls: known[0] });
  }
  // Credentials sent to one of them over TLS must not be sent to the next one in plain text.
  return new Set(read.map(({ isTls }) => isTls)).size > 1 ? 'scheme' : read;
}

/** Converts a server to an HTTP address, for which the rules for outgoing connections are defined. */
export const webAddressOf = ({ host, port, isTls }: Address): string =>
  `${isTls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`;

/** Whether two addresses have the same servers; only then may the credentials of one be sent to the other. */
export const isSameServers = (one: readonly Address[], other: readonly Address[]): boolean => {
  const names = new Set(one.map(webAddressOf));
  return other.every((each) => names.has(webAddressOf(each)));
};

/** Whether a kind of broker accepts a kind of credentials. */
export const fitsCredentials = (kind: AnyKind, credentials: Credentials['kind']): boolean =>
  kind === 'files'
    ? credentials === 'none' || credentials === 'basic'
    : credentials !== 'token' || kind === 'nats';

const firstPauseSeconds = 2;
const longestPauseSeconds = 300;
/**
 * Returns how long to wait after a number of consecutive failures, in seconds: doubling each time, at most
 * five minutes.
 */
export const pauseAfter = (failures: number): number =>
  Math.min(longestPauseSeconds, firstPauseSeconds * 2 ** Math.min(failures - 1, 10));

export const minuteOf = (at: Date): Date => new Date(Math.floor(at.getTime() / minuteMs) * minuteMs);

/** The number of events in the last whole minute. */
export function ratePerMinute(
  rate: { readonly minute: Date | null; readonly count: number; readonly before: number },
  now: Date,
): number {
  const past = rate.minute === null ? undefined : minuteOf(now).getTime() - rate.minute.getTime();
  if (past === 0) return rate.before;
  return past === minuteMs ? rate.count : 0;
}

/** Why a message is not usage. */
export type MessageRejection = {
  readonly code: (typeof rejectionCodes)[number];
  readonly params: TextParams;
};
export const isRejected = (read: readonly unknown[] | MessageRejection): read is MessageRejection =>
  !Array.isArray(read);

/** The same limits as a call of POST /usage/events. */
export const maxMessageBytes = 4 * 1024 * 1024;
export const maxMessageEvents = 10_000;

/** The rejection of a message longer than a call may be. */
export const tooLarge: MessageRejection = {
  code: 'eventstreams.message_too_large',
  params: { most: maxMessageBytes / 1024 / 1024 },
};

/** Parses the JSON of a message; with `isExact`, numbers that a double would round stay texts. */
export function readJson(text: string, isExact: boolean): { readonly value: unknown } | MessageRejection {
  try {
    return { value: isExact ? parseExactly(text) : (JSON.parse(text) as unknown) };
  } catch {
    return { code: 'eventstreams.message_no_json', params: {} };
  }
}

/** Returns the events in a message of CloudEvents: one, or a list. */
export function eventsOfJson(value: unknown): readonly unknown[] | MessageRejection {
  const events = Array.isArray(value) ? (value as readonly unknown[]) : [value];
  return events.length > maxMessageEvents
    ? { code: 'eventstreams.message_too_many', params: { most: maxMessageEvents } }
    : events;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Returns the events that an expression made from a message: an object or a list of objects, completed to
 * CloudEvents. Null means no event, so that an expression can skip messages. A missing id defaults to the
 * message's position in the broker, which is the same whenever the message is read again; `positionId` is
 * undefined if the broker has no positions.
 */
export function eventsOfResult(
  result: unknown,
  { source, positionId }: { readonly source: string; readonly positionId: string | undefined },
): readonly unknown[] | MessageRejection {
  if (result === null || result === undefined) return [];
  const made = eventsOfJson(result);
  if (isRejected(made)) return made;
  const events: unknown[] = [];
  for (const [place, each] of made.entries()) {
    if (!isObject(each)) return { code: 'eventstreams.mapping_no_event', params: {} };
    const id =
      each['id'] ??
      (positionId === undefined ? undefined : place === 0 ? positionId : `${positionId}#${place}`);
    if (id === undefined) return { code: 'eventstreams.mapping_no_id', params: {} };
    const { data } = each;
    events.push({
      specversion: '1.0',
      source,
      ...each,
      id: typeof id === 'number' || typeof id === 'boolean' ? String(id) : id,
      ...(isObject(data) && 'value' in data && { data: { ...data, value: certain(data['value']) } }),
    });
  }
  return events;
}

/** A number computed by an expression counts with the 15 digits that a double represents exactly. */
function certain(value: unknown): unknown {
  if (typeof value !== 'number') return value;
  const exact = decimalOf(value);
  return exact === undefined ? value : decimalText(exact);
}
