// Expected failures: a stable code that doubles as a translation key, with the HTTP status from its contract.
import type { TextParams } from './text.ts';

declare global {
  interface ErrorConstructor {
    /** How many stack frames an error captures (V8 and JavaScriptCore). */
    stackTraceLimit: number;
  }
}

/** Code → HTTP status. Every code has a text in both languages, enforced by the types of the locale files. */
export type ErrorTable = Readonly<Record<string, number>>;

/** A request that the rules do not allow. It is expected, so it is not logged as an error; nothing has been changed. */
export class DomainError extends Error {
  readonly code: string;
  readonly status: number;
  readonly params: TextParams;
  /** The input fields that caused it. */
  readonly fields: readonly string[];

  constructor(code: string, status: number, params: TextParams = {}, fields: readonly string[] = []) {
    // The stack of an expected error is never read, and capturing it costs more than the rest of the
    // response.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(code);
    Error.stackTraceLimit = stackTraceLimit;
    this.name = 'DomainError';
    this.code = code;
    this.status = status;
    this.params = params;
    this.fields = fields;
  }
}

/** One invalid field, for `errors` in the envelope. */
export type FieldError = { readonly field: string; readonly code: string; readonly params?: TextParams };

/** Input that violates its schema or a rule about individual fields (HTTP 400). */
export class ValidationError extends Error {
  readonly fields: readonly FieldError[];

  constructor(fields: readonly FieldError[]) {
    super(fields.map((field) => `${field.field}: ${field.code}`).join(', '));
    this.name = 'Invalid';
    this.fields = fields;
  }
}

/**
 * Creates an error with a code from a contract's error table; an unknown code does not compile. `fields` are
 * the input fields that caused it.
 */
export function domainError<T extends ErrorTable>(
  table: T,
  code: keyof T & string,
  params?: TextParams,
  fields?: readonly string[],
): DomainError {
  return new DomainError(code, table[code] ?? 500, params, fields);
}

/** The thrown value as an Error: JavaScript can throw anything. */
export const asError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(String(thrown));
