// Distinguishes a database that is temporarily unavailable (restart, failover) from one that rejects a
// statement.
import pg from 'pg';
import { codeOf, hasCode } from '../system-error.ts';

/**
 * The database is temporarily unavailable. Nothing acknowledged is lost; the caller may retry the rest with
 * its idempotency key or event ids. Whether the interrupted statement was committed is unknown.
 */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
  readonly code = 'DATABASE';
}

/**
 * PostgreSQL's error codes for it: class 08, shutdown by an operator or after a crash, still starting up, no
 * connection left; and "read only", reported by a former primary after a failover (documentation, appendix
 * A).
 */
const states = new Set(['57P01', '57P02', '57P03', '53300', '25006']);
/** From the network and name resolution. */
const systemCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
  // The socket of a server on this machine.
  'ENOENT',
]);
/** From the driver and its pool, which assign no codes to these. */
const ofDriver =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Client (was closed|has encountered a connection error) and is not queryable|server conn crashed|server_login_retry)/;

/** Translates a driver error into the one to throw: {@link DatabaseUnavailable}, or the error itself. */
export function asUnavailable(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DatabaseUnavailable) return error;
  const code = codeOf(error) ?? '';
  // PgBouncer reports 08P01 for a server that it cannot reach.
  const isLost =
    error instanceof pg.DatabaseError
      ? states.has(code) || code.startsWith('08')
      : systemCodes.has(code) || ofDriver.test(error.message);
  return isLost ? new DatabaseUnavailable(error.message, { cause: error }) : error;
}

/** Whether an error, or one of its causes, says that the database is temporarily unavailable. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return true;
  return error instanceof Error && error.cause !== undefined && isDatabaseUnavailable(error.cause);
}

/** Whether the server rejects writes: a standby, or a former primary. */
export const isReadOnlyServer = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && hasCode(error, '25006');
