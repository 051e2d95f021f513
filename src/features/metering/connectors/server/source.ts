// The interface of everything that usage is pulled from: monitoring systems and cloud APIs. A source reads a
// time window and reports its readings; the connector's mapping decides which subscription pays and how much
// counts. The methods make network requests, so they must not run inside a transaction.
import type { Credentials, FailureCode, ItemKind, Options } from '../contract-sources.ts';
import type { Window } from '../rules.ts';

/** A source's reading of one resource within part of a window. */
export type Reading = {
  /** The resource's stable name at the source, by which a repeated reading becomes the same event. */
  readonly resource: string;
  /** The part of the window it covers; reading the same window again yields the same parts. */
  readonly window: Window;
  /** The source's data, unchanged: labels, fields, tags. Mappings select from these. */
  readonly fields: Readonly<Record<string, unknown>>;
};

/** Something that currently exists, as listed in the source's inventory. */
export type InventoryItem = {
  /** The resource name that its readings use. */
  readonly resource: string;
  readonly kind: ItemKind;
  readonly name: string;
  readonly project: string;
  /**
   * What its price depends on: a flavor, gigabytes. Readings have the same text at {@link sizeOf}. '' if
   * unknown.
   */
  readonly size: string;
  readonly since: Date | null;
  readonly state: string;
  /** Named like the fields of its readings, so that a connector's mapping finds its owner. */
  readonly fields: Readonly<Record<string, unknown>>;
};

/** The settings needed to query a source. */
export type SourceSettings<O extends Options = Options> = {
  readonly address: string;
  readonly options: O;
  readonly credentials: Credentials;
  /** Hosts in private networks that the operator allows (PRIVATE_HOSTS). */
  readonly privateHosts: readonly string[];
  /** The time limit for one response, in milliseconds (SOURCE_TIMEOUT). */
  readonly timeoutMs: number;
  /**
   * The end of the window being read: a response sent before it by the source's own clock would lack usage.
   */
  readonly windowEnd?: Date;
};

/** Thrown when a source gave no readings. */
export class SourceFailure extends Error {
  override readonly name = 'SourceFailure';
  readonly code: FailureCode;
  /** The source's message, or the resource concerned; shown to Admins, so it never contains credentials. */
  readonly detail: string;
  /** The delay that the source asked for, in seconds. */
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
  /** Verifies address, credentials and query; returns a text for Admins, such as a version. */
  check(settings: SourceSettings<O>, window: Window, signal: AbortSignal): Promise<string>;
  /** Returns the readings of a window; repeated calls return readings of the same resources and parts. */
  read(settings: SourceSettings<O>, window: Window, signal: AbortSignal): Promise<Reading[]>;
  /** Returns what currently exists; undefined if the settings do not configure an inventory. */
  inventory(settings: SourceSettings<O>, signal: AbortSignal): Promise<InventoryItem[] | undefined>;
};

/** The maximum number of readings in one window. */
export const maxReadings = 20_000;
