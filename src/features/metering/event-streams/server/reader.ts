// What every kind of broker offers to the console that reads it.
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import type { Credentials, FailureCode, Options } from '../contract.ts';
import type { Address } from '../rules.ts';

/** A stream could not be read; `detail` says what the broker or the socket said. */
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

/** How far a partition was read: the offset of its next message. */
export type Positions = ReadonlyMap<string, bigint>;

/** A message that has arrived and is not acknowledged. */
export type Incoming = {
  /** Where it is in the broker; the same when it is delivered again. */
  readonly position: string;
  /** The id of its event when the mapping gives none; undefined when the broker has no places. */
  readonly positionId: string | undefined;
  readonly topic: string;
  readonly payload: Uint8Array;
  /** When the broker got it; undefined when it does not tell. */
  readonly sentAt: Date | undefined;
  /** Of a row of a file that has no events and cannot be tried again. */
  readonly isUnreadable?: boolean;
};
/** Messages that the broker deleted before they were read. */
export type Lost = { readonly position: string; readonly topic: string; readonly count: bigint };
export type Batch = {
  readonly messages: readonly Incoming[];
  readonly lost: readonly Lost[];
  /** What is stored with the events, for brokers that do not keep it. */
  readonly positions: Positions;
  /** Messages that wait in the broker behind these; null when it does not tell. */
  readonly lag: number | null;
};

export type StreamReader = {
  /** Where reading begins, stored before the first message; empty for brokers that keep it. */
  readonly begins: Positions;
  /** The next messages; none after a second or two without any. @throws StreamFailure */
  readonly next: (signal: AbortSignal) => Promise<Batch>;
  /** Tells the broker that a batch is durable here. A failure of it is no harm: what comes again is recognised. */
  readonly acknowledge: (batch: Batch) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** What is needed to connect. */
export type ReaderSettings<O extends Options = Options> = {
  readonly app: App;
  readonly streamId: string;
  readonly options: O;
  /** As it was typed; files are found by it. */
  readonly address: string;
  /** The brokers that it names; none of files. */
  readonly addresses: readonly Address[];
  /** Which of the addresses is tried, counted over all of them again and again. */
  readonly turn: number;
  readonly authority: string;
  readonly credentials: Credentials;
  readonly start: 'earliest' | 'latest';
  readonly positions: Positions;
  readonly signal: AbortSignal;
};

/** A batch has at most so many messages, and stops after so many bytes. */
export const maxBatchMessages = 500;
export const maxBatchBytes = 4 * 1024 * 1024;
export const connectMs = 10_000;
