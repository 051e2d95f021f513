// The one error every failed call becomes; screens show its message and branch on its code.
import type { ConnectionKey } from '#platform/locales/connection.ts';
import type { FieldProblem } from './envelope.ts';

export class ApiError extends Error {
  /** HTTP status; 0 when no answer came. */
  readonly status: number;
  /** Stable dotted key: the server's, or one of connection.*. */
  readonly code: string;
  /** Fields that are wrong, for forms. */
  readonly errors: readonly FieldProblem[];
  /** What support asks for; absent when the request never arrived. */
  readonly requestId: string | undefined;

  constructor(details: {
    status: number;
    code: string;
    message: string;
    errors?: readonly FieldProblem[] | undefined;
    requestId?: string | undefined;
    cause?: unknown;
  }) {
    super(details.message, { cause: details.cause });
    this.name = 'ApiError';
    this.status = details.status;
    this.code = details.code;
    this.errors = details.errors ?? [];
    this.requestId = details.requestId;
  }
}

/** Whether trying the same again may help: no answer, or a fault or overload of the server. */
export function isWorthRetrying(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  const { code, status } = error;
  return code === ('connection.lost' satisfies ConnectionKey) || status >= 500;
}
