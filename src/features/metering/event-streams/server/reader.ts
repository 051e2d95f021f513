// The interface that each kind of broker implements.
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import type { Credentials, FailureCode, Options } from '../contract.ts';
import type { Address } from '../rules.ts';

/** Thrown when a stream cannot be read; `detail` is the message of the broker or the socket. */
export class StreamFailure extends Error {
  override readonly name = 'StreamFailure';
  readonly code: FailureCode;
  readonly detail: string;

  constructor(code: FailureCode, detail: string) {
    super(`${code}: ${detail}`);
    this.code = code;
    this.detail = detail.slice(0, 300);
  }
}

/** How far each partition was read: the offset of its next message. */
export type Positions = ReadonlyMap<string, bigint>;

/** A message that has arrived but is not acknowledged yet. */
export type Incoming = {
  /** Its position in the broker; the same when it is delivered again. */
  readonly position: string;
  /**
   * The default id of its event if the mapping does not set one; undefined if the broker has no positions.
   */
  readonly positionId: string | undefined;
  readonly topic: string;
  readonly payload: Uint8Array;
  /** When the broker received it; undefined if unknown. */
  readonly sentAt: Date | undefined;
  /** For a row of a file that contains no event and cannot be retried. */
  readonly isUnreadable?: boolean;
};
/** Messages that the broker deleted before they were read. */
export type Lost = { readonly position: string; readonly topic: string; readonly count: bigint };
export type Batch = {
  readonly messages: readonly Incoming[];
  readonly lost: readonly Lost[];
  /** Positions to store with the events, for brokers that do not store them. */
  readonly positions: Positions;
  /** The number of messages still waiting in the broker after these; null if unknown. */
  readonly lag: number | null;
};

export type StreamReader = {
  /** Where reading starts, stored before the first message; empty for brokers that store it themselves. */
  readonly begins: Positions;
  /**
   * Returns the next messages; an empty batch if there are none for a second or two. @throws StreamFailure
   */
  readonly next: (signal: AbortSignal) => Promise<Batch>;
  /**
   * Tells the broker that a batch is durable here. A failure is harmless: redelivered messages are
   * recognized.
   */
  readonly acknowledge: (batch: Batch) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** The settings needed to connect. */
export type ReaderSettings<O extends Options = Options> = {
  readonly app: App;
  readonly streamId: string;
  readonly options: O;
  /** As it was entered; identifies the location of files. */
  readonly address: string;
  /** The brokers in the address; empty for files. */
  readonly addresses: readonly Address[];
  /** The attempt number; selects one of the addresses in rotation. */
  readonly turn: number;
  readonly authority: string;
  readonly credentials: Credentials;
  readonly start: 'earliest' | 'latest';
  readonly positions: Positions;
  readonly signal: AbortSignal;
};

/** The maximum number of messages in a batch; it also ends after this many bytes. */
export const maxBatchMessages = 500;
export const maxBatchBytes = 4 * 1024 * 1024;
export const connectMs = 10_000;
