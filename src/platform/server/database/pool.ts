// Opens connections that read every number exactly as PostgreSQL holds it, and whose errors tell when the
// database is unavailable.
import { once } from 'node:events';
import pg from 'pg';
import { arrayLiteral } from './array-literal.ts';
import { momentArray } from './moment-array.ts';
import { connectionConfig } from './other-database.ts';
import type { DatabaseConnection } from './embedded/listen-address.ts';
import type { Log } from '../log.ts';
import { tracedStatement } from '../monitoring/telemetry.ts';
import { asUnavailable, isReadOnlyServer } from './unavailable.ts';

// Requests time out after 30 s, so no statement should run longer. Long jobs use `set local
// statement_timeout`.
export const statementTimeoutMs = 30_000;
// A unit of work that hangs between two statements holds locks; other transactions must not wait for it
// forever.
export const idleInTransactionTimeoutMs = 30_000;
const connectWithinMs = 10_000;
const idleConnectionMs = 60_000;
const closeWithinMs = 2000;
/**
 * After this much silence a connection is probed; if its peer vanished, it fails after about ten unanswered
 * seconds.
 */
export const keepAliveAfterMs = 10_000;

/** Opens connections to `where` on demand. `onConnect` may reject a connection before it is used. */
export function openPool(
  where: DatabaseConnection | string,
  options: {
    max: number;
    log: Log;
    isPooled?: boolean;
    connectWithinMs?: number;
    onConnect?: (client: pg.ClientBase) => Promise<void>;
  },
): Pool {
  const { max, log, onConnect } = options;
  // The pool supports it, but its types omit it.
  const hooks: object = onConnect ? { onConnect } : {};
  const pool = new Pool({
    ...(options.isPooled === true
      ? // Poolers reject session settings that they would have to track, and older ones do not support prepared statements.
        { Client: UnpreparedClient, ...connectionConfig(where) }
      : { Client: PreparingClient, ...connectionConfig(where), ...sessionSettings }),
    max,
    types: exactTypes(),
    application_name: 'skytally',
    connectionTimeoutMillis: options.connectWithinMs ?? connectWithinMs,
    idleTimeoutMillis: idleConnectionMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveAfterMs,
    ...hooks,
  });
  // The pool removes a broken idle connection by itself; without a listener the error would end the process.
  pool.on('error', (error) => log.warn({ err: error }, 'an idle database connection was lost'));
  // If a connection is lost between two statements of a transaction, the next statement fails and reports the
  // error.
  pool.on('connect', (client) =>
    client.on('error', (error) => log.debug({ err: error }, 'a database connection was lost')),
  );
  // Its server is no longer the primary; a new connection finds the current one.
  pool.on('release', (_error, client) => {
    if (client instanceof PreparingClient && client.isOfFormerPrimary) void client.end();
  });
  return pool;
}

const sessionSettings: pg.PoolConfig = {
  statement_timeout: statementTimeoutMs,
  idle_in_transaction_session_timeout: idleInTransactionTimeoutMs,
  // Overrides an external server's defaults: our parsers read ISO dates, and a session has no zone of its
  // own. JIT compilation takes longer than our queries: checking the books of a test console took 3 s with it
  // and 0.6 s without.
  options: '-c TimeZone=UTC -c DateStyle=ISO,YMD -c jit=off',
};

/**
 * Serializes a list. A list counts as moments when its first element is a Date, so for parameters that are
 * not timestamptz[] dates are passed as texts.
 */
const listOf = (values: readonly unknown[]): string | Buffer | undefined =>
  (values[0] instanceof Date ? momentArray(values) : undefined) ?? arrayLiteral(values);

/** Calls a driver function that takes a callback or returns a promise, and translates its errors. */
function withMeaning(
  run: (given: readonly unknown[]) => unknown,
  given: readonly unknown[],
  meant: (error: unknown) => unknown,
): unknown {
  const callback = given.at(-1);
  if (typeof callback === 'function')
    return run([
      ...given.slice(0, -1),
      (error: unknown, ...rest: unknown[]): unknown =>
        Reflect.apply(callback, undefined, [error ? meant(error) : error, ...rest]),
    ]);
  const running = run(given);
  // A COPY is an object that its caller drives.
  return running instanceof Promise
    ? running.catch((error: unknown) => {
        throw meant(error);
      })
    : running;
}

/** A pool that reports an unavailable database as such: see {@link asUnavailable}. */
export class Pool extends pg.Pool {
  readonly #open = new Set<pg.PoolClient>();

  constructor(config: pg.PoolConfig) {
    super(config);
    this.on('connect', (client) => void this.#open.add(client));
    this.on('remove', (client) => void this.#open.delete(client));
  }

  /**
   * Waits until all connections in use are returned, then closes them, and waits until the server knows. The
   * pool's own `end` does not: a server that is stopped right after it would report them as terminated.
   */
  async close(): Promise<void> {
    await this.end();
    const signal = AbortSignal.timeout(closeWithinMs);
    try {
      while (this.#open.size > 0) await once(this, 'remove', { signal });
    } catch (error) {
      // A server that cannot be reached does not answer.
      if (!signal.aborted) throw error;
    }
  }

  // The base class declares overloads with and without a callback; all arguments are passed on unchanged.
  override connect(...given: never[]): never {
    return withMeaning((all) => Reflect.apply(super.connect, this, all), given, asUnavailable) as never;
  }

  override query(...given: never[]): never {
    return withMeaning((all) => Reflect.apply(super.query, this, all), given, asUnavailable) as never;
  }
}

/**
 * Prepares statements that begin with a line `--hot name` once per connection: for the few statements of
 * every request, whose parsing and planning would cost more than their execution. A name must always stand
 * for the same text. List parameters are serialized by {@link arrayLiteral}, lists of moments by {@link
 * momentArray}.
 */
class PreparingClient extends pg.Client {
  protected readonly prepares: boolean = true;
  /** The server rejected a write; the connection is replaced when it is released. */
  isOfFormerPrimary = false;

  #querySlowly(given: readonly unknown[]): unknown {
    return withMeaning(
      (all) => Reflect.apply(super.query, this, all),
      given,
      (error) => this.#meant(error),
    );
  }

  #meant(error: unknown): unknown {
    if (isReadOnlyServer(error)) this.isOfFormerPrimary = true;
    return asUnavailable(error);
  }

  // The base class declares seven overloads, of which the pool and Kysely use two; all arguments are passed
  // on unchanged.
  override query(...given: never[]): never {
    const [text, values, ...rest] = given as unknown[];
    if (typeof text !== 'string' || !Array.isArray(values)) return this.#querySlowly(given) as never;
    const name = this.prepares ? /^--hot (\S+)\n/.exec(text)?.[1] : undefined;
    const written = values.map((value: unknown) => (Array.isArray(value) ? (listOf(value) ?? value) : value));
    const passed = name === undefined ? [text, written, ...rest] : [{ name, text, values: written }, ...rest];
    if (rest.length > 0) return this.#querySlowly(passed) as never;
    // The driver's own promise is referenced by a function that V8 allocates in the old generation, so
    // whatever a query held would stay there until a full garbage collection.
    const run = (): Promise<unknown> =>
      new Promise((resolve, reject) => {
        const settle = (error: Error | null, result: unknown): void =>
          error ? reject(this.#meant(error)) : resolve(result);
        Reflect.apply(super.query, this, [...passed, settle]);
      });
    return tracedStatement(text, run) as never;
  }
}

/** For a pooler: the next statement may run on another server connection, which has no prepared statements. */
class UnpreparedClient extends PreparingClient {
  protected override readonly prepares = false;
}

/**
 * How values are parsed, for this pool only (pg's global table stays unchanged): int8 → bigint, numeric →
 * string, date and timestamp without time zone → the text itself, timestamptz → Date (to the millisecond),
 * and arrays likewise.
 */
function exactTypes(): pg.CustomTypesConfig {
  const types = new pg.TypeOverrides();
  const text = (value: string) => value;
  const readers: [number, number, (value: string) => unknown][] = [
    [20, 1016, BigInt], // int8
    [1700, 1231, text], // numeric
    [1082, 1182, text], // date
    [1114, 1115, text], // timestamp without time zone: not a moment, so it must not become one
  ];
  for (const [type, arrayType, read] of readers) {
    types.setTypeParser(type, read);
    types.setTypeParser(arrayType, (value: string) => readArray(value, read));
  }
  return types;
}

/** Parses PostgreSQL's `{…}` arrays of any dimension, for element types that contain no quote, comma or brace. */
function readArray(value: string, read: (value: string) => unknown): unknown {
  const json = value
    .replace(/^\[[^=]*\]=/, '')
    .replace(/"[^"]*"|[^{},"]+/g, (item) =>
      item === 'NULL' ? 'null' : item.startsWith('"') ? item : `"${item}"`,
    )
    .replace(/[{}]/g, (brace) => (brace === '{' ? '[' : ']'));
  return JSON.parse(json, (_key, item: unknown) => (typeof item === 'string' ? read(item) : item));
}
