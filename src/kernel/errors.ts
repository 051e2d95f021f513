// Expected failures: a stable code that is also a translation key, with the HTTP status of its contract.
import type { TextParams } from './text.ts';

declare global {
  interface ErrorConstructor {
    /** How many frames an error notes down (V8 and JavaScriptCore). */
    stackTraceLimit: number;
  }
}

/** Code → HTTP status; every code has a sentence in both languages (checked by the locale files' types). */
export type ErrorTable = Readonly<Record<string, number>>;

/** A request that the rules do not allow. Expected, so never logged as a fault; nothing is changed. */
export class DomainError extends Error {
  readonly code: string;
  readonly status: number;
  readonly params: TextParams;
  /** The input's fields that it is about. */
  readonly fields: readonly string[];

  constructor(code: string, status: number, params: TextParams = {}, fields: readonly string[] = []) {
    // Where an expected refusal came from is never read, and writing it down costs more than the rest of the answer.
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

/** One field that is wrong, for `errors` in the envelope. */
export type FieldError = { readonly field: string; readonly code: string; readonly params?: TextParams };

/** Input that does not fit its schema or a rule about single fields (HTTP 400). */
export class ValidationError extends Error {
  readonly fields: readonly FieldError[];

  constructor(fields: readonly FieldError[]) {
    super(fields.map((field) => `${field.field}: ${field.code}`).join(', '));
    this.name = 'Invalid';
    this.fields = fields;
  }
}

/** Makes the refusal of a contract's error table; an unknown code does not compile. `fields` are those of the input that it is about. */
export function domainError<T extends ErrorTable>(
  table: T,
  code: keyof T & string,
  params?: TextParams,
  fields?: readonly string[],
): DomainError {
  return new DomainError(code, table[code] ?? 500, params, fields);
}
