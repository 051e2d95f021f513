// Tells a database that cannot be used at the moment, because it restarts or its primary changes, from one that refuses a statement.
import pg from 'pg';

/**
 * The database cannot be used at the moment. Nothing is lost by it: what was not acknowledged may be done again, as the caller does with
 * its idempotency key or the ids of its events. Whether a statement in between was committed is not known.
 */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
  readonly code = 'DATABASE';
}

/**
 * PostgreSQL's own words for it: class 08, shut down by an operator or after a crash, still starting, no connection left; and "read only",
 * which a primary is no more after another one has taken over (documentation, appendix A).
 */
const states = new Set(['57P01', '57P02', '57P03', '53300', '25006']);
/** Of the network and of name servers. */
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
/** Of the driver and its pool, which give these no codes. */
const ofDriver =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Client (was closed|has encountered a connection error) and is not queryable|server conn crashed|server_login_retry)/;

/** What an error of the driver means, to be thrown in its place: {@link DatabaseUnavailable}, or the error itself. */
export function asUnavailable(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DatabaseUnavailable) return error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  // PgBouncer says 08P01 of a server that it cannot reach.
  const isLost =
    error instanceof pg.DatabaseError
      ? states.has(code) || code.startsWith('08')
      : systemCodes.has(code) || ofDriver.test(error.message);
  return isLost ? new DatabaseUnavailable(error.message, { cause: error }) : error;
}

/** Whether an error, or what caused it, is that the database cannot be used at the moment. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return true;
  return error instanceof Error && error.cause !== undefined && isDatabaseUnavailable(error.cause);
}

/** Whether the server may only be read: a standby, or a primary that is one no more. */
export const isReadOnlyServer = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '25006';
