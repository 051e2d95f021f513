// The interface of everything that usage is pulled from: a monitoring system, a cloud's API, a bill in a bucket. A source reads a window
// of time and says what it saw; which subscription pays for it, and how much it counts, is decided by the connector's mapping. Its methods
// call outwards, so they must not run inside a transaction.

/** The kinds of sources; each has a file of its own in `sources/`. */
export const sourceKinds = [
  'prometheus',
  'http_json',
  'opencost',
  'openstack',
  'proxmox',
  'billing_export',
  'nats',
] as const;
export type SourceKind = (typeof sourceKinds)[number];

/** From its start, included, to its end, not included. */
export type Window = { readonly start: Date; readonly end: Date };

/** What a source saw of one resource within a part of a window. */
export type Reading = {
  /** The resource's name at the source, the same in every answer: what makes a repeated reading the same event. */
  readonly resource: string;
  /** The part of the window that it is of: the same parts whenever the same window is read. */
  readonly window: Window;
  /** What the source says of it as it says it: labels, fields, tags. Mappings choose from here. */
  readonly fields: Readonly<Record<string, unknown>>;
};

/** What is running now, for the comparison with what is billed. */
export type InventoryItem = { readonly resource: string; readonly fields: Readonly<Record<string, unknown>> };

/** Settings and credentials as an Admin entered them; each source checks its own form and names the field that is wrong. */
export type SourceSettings = {
  readonly address: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly credentials: Readonly<Record<string, string>>;
};

/** The source says that it refuses: wrong credentials, a query that is none. Trying again does not help until somebody changes something. */
export class SourceRefused extends Error {
  /** Which setting to look at, such as `credentials` or `options.query`; null when the source did not say. */
  readonly field: string | null;
  constructor(message: string, field: string | null = null) {
    super(message);
    this.field = field;
  }
}
/** The source did not answer, answered something that cannot be read, or asked to come later. */
export class SourceUnavailable extends Error {
  /** How long it asked to wait, in seconds. */
  readonly retryAfter: number | null;
  constructor(message: string, retryAfter: number | null = null) {
    super(message);
    this.retryAfter = retryAfter;
  }
}

/** One kind of source. Every method throws {@link SourceRefused} or {@link SourceUnavailable}. */
export type Source = {
  readonly kind: SourceKind;
  /** The longest window that one pull reads, in seconds. */
  readonly longestWindowSeconds: number;
  /** How long after its end a window is complete at the source, in seconds: late samples, slow exports. */
  readonly settleSeconds: number;
  /** Proves address, credentials and options; answers what an Admin sees, such as a version. */
  check(settings: SourceSettings, signal: AbortSignal): Promise<{ readonly says: string }>;
  /** What was seen in a window, in the order in which it comes; a repeated call gives readings of the same resources and windows. */
  read(settings: SourceSettings, window: Window, signal: AbortSignal): AsyncIterable<Reading>;
  /** What runs now; null where the source has no inventory. */
  readonly inventory: ((settings: SourceSettings, signal: AbortSignal) => AsyncIterable<InventoryItem>) | null;
};
