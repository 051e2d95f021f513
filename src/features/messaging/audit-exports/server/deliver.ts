// The interface of destinations. Returning normally means that the receiver has acknowledged the entries.
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import type { FailureCode, Target } from '../contract.ts';
import type { Batch } from '../rules.ts';

/**
 * A destination did not accept the entries. `detail` is an error code of the system or the receiver, never a
 * secret.
 */
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

/** The dependencies of a delivery. */
export type Sending<T extends Target = Target> = {
  readonly app: App;
  readonly exportId: string;
  readonly target: T;
  /** Encrypted; null if there is none. */
  readonly secret: Buffer | null;
  readonly signal: AbortSignal;
};
/** How a kind of destination takes entries, and a test without entries. @throws ExportFailure */
export type Deliver<T extends Target> = {
  readonly send: (sending: Sending<T>, batch: Batch) => Promise<void>;
  readonly test: (sending: Sending<T>) => Promise<void>;
};

/** The time limit for one delivery. */
export const longestMs = 20_000;
/** The content of a test, which cannot be mistaken for an entry. */
export const testText = {
  type: 'audit.test',
  text: 'Skytally: this is a test and no entry of the audit log.',
};

/** The console's public host name; '-', syslog's nil value, if it is not configured. */
export const consoleHost = ({ config }: App): string =>
  config.publicUrl === undefined ? '-' : new URL(config.publicUrl).hostname;
