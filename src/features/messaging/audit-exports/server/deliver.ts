// Hands entries over to one destination. Whoever returns normally has the word of the receiver that it has them.
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import type { FailureCode, Target } from '../contract.ts';
import type { Batch } from '../rules.ts';

/** A destination did not take what was sent. `detail` is a code of the system or the receiver, never a secret. */
export class ExportFailure extends Error {
  override readonly name = 'ExportFailure';
  readonly code: FailureCode;
  readonly detail: string;

  constructor(code: FailureCode, detail: string, cause?: unknown) {
    super(`${code}: ${detail}`, { cause });
    this.code = code;
    this.detail = detail;
  }
}

/** What sending to a destination takes. */
export type Sending<T extends Target = Target> = {
  readonly app: App;
  readonly exportId: string;
  readonly target: T;
  /** Sealed; null where there is none. */
  readonly secret: Buffer | null;
  readonly signal: AbortSignal;
};
/** How a kind of destination takes entries, and a test that is none. @throws ExportFailure */
export type Deliver<T extends Target> = {
  readonly send: (sending: Sending<T>, batch: Batch) => Promise<void>;
  readonly test: (sending: Sending<T>) => Promise<void>;
};

/** The time limit for one delivery. */
export const longestMs = 20_000;
/** What a test says of itself, so that nobody takes it for an entry. */
export const testText = {
  type: 'audit.test',
  text: 'Skytally: this is a test and no entry of the audit log.',
};

/** The host under which people know the console; '-', which is nothing in syslog, while it is not told. */
export const consoleHost = ({ config }: App): string =>
  config.publicUrl === undefined ? '-' : new URL(config.publicUrl).hostname;
