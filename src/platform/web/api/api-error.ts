// The error of every failed call; screens show its message and branch on its code.
import type { ConnectionKey } from '#platform/locales/connection.ts';
import type { FieldProblem } from './envelope.ts';

export class ApiError extends Error {
  /** HTTP status; 0 when there was no response. */
  readonly status: number;
  /** Stable dotted key: the server's error code, or one of connection.* when the server did not answer. */
  readonly code: string;
  /** The fields that the server or the contract rejected, for forms. */
  readonly errors: readonly FieldProblem[];
  /** The request id that support asks for; absent when the request never reached the server. */
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

/**
 * Whether the same call may succeed when repeated: there was no response, or the server failed or was
 * overloaded.
 */
export function isWorthRetrying(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  const { code, status } = error;
  return code === ('connection.lost' satisfies ConnectionKey) || status >= 500;
}

/** Whether a call was forbidden rather than failed: retrying changes nothing. */
export const isRefused = (error: unknown): boolean => error instanceof ApiError && error.status === 403;
