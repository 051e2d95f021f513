// The exported form of each audit log entry, and the part of the hash chain that goes with it.
import { entriesPerObject, type Syslog, type TargetKind } from './contract.ts';

/**
 * An entry exactly as it was hashed. `at` is in UTC with microseconds, `detail` is JSON as the database
 * formats it.
 */
export type Entry = {
  readonly seq: number;
  readonly id: string;
  readonly at: string;
  readonly actorKind: string;
  readonly actorId: string;
  readonly action: string;
  readonly subject: string;
  readonly detail: string;
  readonly requestId: string;
  /** SHA-256 over the previous hash and this entry, in hex. */
  readonly hash: string;
};

/** Consecutive entries without a gap, and the hash before the first of them. */
export type Batch = { readonly entries: readonly Entry[]; readonly hashBefore: string };

/** An entry as one line of ASCII, so that every receiver keeps it byte for byte. */
export const lineOf = (entry: Entry): string =>
  JSON.stringify(entry).replace(
    /[\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/**
 * The most entries of one batch, and the most characters. A webhook or syslog receiver gets what it can
 * process within seconds.
 */
export const batchLimits: Readonly<
  Record<TargetKind, { readonly entries: number; readonly characters: number }>
> = {
  syslog: { entries: 500, characters: 1_000_000 },
  webhook: { entries: 200, characters: 500_000 },
  bucket: { entries: entriesPerObject, characters: 64_000_000 },
};

/** The entries from the start that fit into a batch, at least one. */
export function fitting(entries: readonly Entry[], kind: TargetKind): readonly Entry[] {
  const most = batchLimits[kind];
  let characters = 0;
  const end = entries.findIndex((entry, place) => {
    characters += lineOf(entry).length + 1;
    return place > 0 && (place >= most.entries || characters > most.characters);
  });
  return end === -1 ? entries : entries.slice(0, end);
}

const dayOf = ({ at }: Pick<Entry, 'at'>): string => at.slice(0, 10);

/**
 * The entries of the next object, which is written once and never changed: those of one day, once a later
 * entry exists or the day is over, or earlier as many as an object holds. Empty otherwise. `today` is the
 * current day in UTC.
 */
export function wholeObject(entries: readonly Entry[], today: string): readonly Entry[] {
  const [first] = entries;
  if (!first) return [];
  const day = dayOf(first);
  const later = entries.findIndex((entry) => dayOf(entry) > day);
  const own = fitting(later === -1 ? entries : entries.slice(0, later), 'bucket');
  const isFull =
    own.length < (later === -1 ? entries.length : later) || own.length >= batchLimits.bucket.entries;
  return isFull || later !== -1 || today > day ? own : [];
}

const digits = 12;
const placeOf = (seq: number): string => String(seq).padStart(digits, '0');
/**
 * The object name for some entries, from their day and the positions of the first and last: the same entries
 * have the same name.
 */
export function objectName(entries: readonly Entry[]): string {
  const [first, last] = [entries[0], entries.at(-1)];
  if (!first || !last) throw new Error('an object of nothing');
  return `${dayOf(first).replaceAll('-', '/')}/audit-${placeOf(first.seq)}-${placeOf(last.seq)}.ndjson`;
}

/** The summary that accompanies entries. */
export const summaryOf = ({ entries, hashBefore }: Batch) => ({
  first: entries[0]?.seq ?? 0,
  last: entries.at(-1)?.seq ?? 0,
  count: entries.length,
  hashBefore,
  hashAfter: entries.at(-1)?.hash ?? hashBefore,
});

// RFC 5424: facility 13 (log audit), severity 6 (informational).
const priority = 13 * 8 + 6;
/** Printable ASCII without delimiters (RFC 5424, "SD-NAME" and "MSGID"). */
const nameOf = (text: string, longest: number): string =>
  text.replace(/[^\x21-\x7e]/g, '_').slice(0, longest) || '-';
const paramOf = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?').replace(/["\\\]]/g, '\\$&');

/** An RFC 5424 message with an octet count (RFC 6587). `at` is in UTC, without 'Z'; `text` is ASCII. */
export function syslogFrame({
  at,
  host,
  messageId,
  data,
  text,
}: {
  readonly at: string;
  readonly host: string;
  readonly messageId: string;
  readonly data: Readonly<Record<string, string>>;
  readonly text: string;
}): string {
  const params = Object.entries(data).map(([name, value]) => ` ${name}="${paramOf(value)}"`);
  // 32473 is the enterprise number for documentation and private use (RFC 5612).
  const message = `<${priority}>1 ${at}Z ${nameOf(host, 255)} skytally - ${nameOf(messageId, 32)} [audit@32473${params.join('')}] ${text}`;
  // All of it is ASCII: one octet per character.
  return `${message.length} ${message}`;
}

/** An entry as a syslog message, with its chain position in the structured data. */
export const syslogOf = (entry: Entry, hashBefore: string, host: string): string =>
  syslogFrame({
    at: entry.at,
    host,
    messageId: entry.action,
    data: { seq: String(entry.seq), id: entry.id, hashBefore, hash: entry.hash },
    text: lineOf(entry),
  });

/** The HTTP address of a syslog server, which the rules for outgoing connections can check. */
export const webAddressOf = ({ host, port, isTls }: Pick<Syslog, 'host' | 'port' | 'isTls'>): string =>
  `${isTls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`;

const [firstPauseSeconds, longestPauseSeconds] = [5, 900];
/** How many seconds to wait after consecutive failures: doubling each time, at most a quarter of an hour. */
export const pauseAfter = (failures: number): number =>
  Math.min(longestPauseSeconds, firstPauseSeconds * 2 ** Math.min(Math.max(failures - 1, 0), 10));
