// The interface of everything that usage is pulled from: a monitoring system, a cloud's API. A source reads a window of time and says what
// it saw; which subscription pays for it, and how much it counts, is decided by the connector's mapping. Its methods call outwards, so they
// must not run inside a transaction.
import type { Credentials, FailureCode, ItemKind, Options } from '../contract-sources.ts';
import type { Window } from '../rules.ts';

/** What a source saw of one resource within a part of a window. */
export type Reading = {
  /** The resource's name at the source, the same in every answer: what makes a repeated reading the same event. */
  readonly resource: string;
  /** The part of the window that it is of: the same parts whenever the same window is read. */
  readonly window: Window;
  /** What the source says of it as it says it: labels, fields, tags. Mappings choose from here. */
  readonly fields: Readonly<Record<string, unknown>>;
};

/** Something that exists now, as the source's inventory says it. */
export type InventoryItem = {
  /** The name that its readings have. */
  readonly resource: string;
  readonly kind: ItemKind;
  readonly name: string;
  readonly project: string;
  /** What its price depends on: a flavor, gigabytes. Readings have the same text where {@link sizeOf} looks. '' when nobody says. */
  readonly size: string;
  readonly since: Date | null;
  readonly state: string;
  /** Under the names that its readings use, so that a connector's mapping finds its owner. */
  readonly fields: Readonly<Record<string, unknown>>;
};

/** What a source needs to be asked. */
export type SourceSettings<O extends Options = Options> = {
  readonly address: string;
  readonly options: O;
  readonly credentials: Credentials;
  /** Hosts of private networks that the operator lists (PRIVATE_HOSTS). */
  readonly privateHosts: readonly string[];
  /** The longest that one answer may take, in milliseconds (SOURCE_TIMEOUT). */
  readonly timeoutMs: number;
  /** The end of the window that is read: an answer that comes, by the source's own clock, before it would lack usage. */
  readonly windowEnd?: Date;
};

/** Why a source gave no readings. */
export class SourceFailure extends Error {
  override readonly name = 'SourceFailure';
  readonly code: FailureCode;
  /** What the source said, or which resource it is about; shown to Admins, so it never holds credentials. */
  readonly detail: string;
  /** How long it asked to wait, in seconds. */
  readonly retryAfter: number | null;

  constructor(code: FailureCode, detail: string, retryAfter: number | null = null) {
    super(`${code}: ${detail}`);
    this.code = code;
    this.detail = [...detail].slice(0, 500).join('').replaceAll('\0', '');
    this.retryAfter = retryAfter;
  }
}

/** One kind of source. Every method throws {@link SourceFailure}. */
export type Source<O extends Options = Options> = {
  /** Proves address, credentials and query; answers what an Admin sees, such as a version. */
  check(settings: SourceSettings<O>, window: Window, signal: AbortSignal): Promise<string>;
  /** What was seen in a window; a repeated call gives readings of the same resources and parts. */
  read(settings: SourceSettings<O>, window: Window, signal: AbortSignal): Promise<Reading[]>;
  /** What exists now; undefined when the settings do not say where that stands. */
  inventory(settings: SourceSettings<O>, signal: AbortSignal): Promise<InventoryItem[] | undefined>;
};

/** The most readings of one window. */
export const maxReadings = 20_000;
