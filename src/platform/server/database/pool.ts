// Opens connections in which every number arrives exactly as PostgreSQL holds it, and whose errors say when the database is away.
import pg from 'pg';
import { arrayLiteral } from './array-literal.ts';
import { momentArray } from './moment-array.ts';
import { connectionConfig } from './other-database.ts';
import type { DatabaseConnection } from './embedded/listen-address.ts';
import type { Log } from '../log.ts';
import { tracedStatement } from '../monitoring/telemetry.ts';
import { asUnavailable, isReadOnlyServer } from './unavailable.ts';

// A request is cut off after 30 s; a statement must not go on working for nobody. Long jobs say `set local statement_timeout`.
export const statementTimeoutMs = 30_000;
// A unit of work that stopped between two statements holds locks: others must not wait for it for ever.
export const idleInTransactionTimeoutMs = 30_000;
const connectWithinMs = 10_000;
const idleConnectionMs = 60_000;
/** A connection whose other end vanished without a word is noticed by this silence, and some ten unanswered seconds after it. */
export const keepAliveAfterMs = 10_000;

/** Opens connections to `where` when they are needed. `onConnect` may refuse one before it is used. */
export function openPool(
  where: DatabaseConnection | string,
  options: {
    max: number;
    log: Log;
    isPooled?: boolean;
    connectWithinMs?: number;
    onConnect?: (client: pg.ClientBase) => Promise<void>;
  },
): pg.Pool {
  const { max, log, onConnect } = options;
  // The pool waits for it, though its types do not tell.
  const hooks: object = onConnect ? { onConnect } : {};
  const pool = new Pool({
    ...(options.isPooled === true
      ? // A pooler refuses settings of a session that it would have to keep apart, and older ones know no prepared statements.
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
  // The pool drops a broken idle connection by itself; without a listener the process would end.
  pool.on('error', (error) => log.warn({ err: error }, 'an idle database connection was lost'));
  // One that is lost in the middle of a transaction, between two statements: its next statement fails and reports the error.
  pool.on('connect', (client) =>
    client.on('error', (error) => log.debug({ err: error }, 'a database connection was lost')),
  );
  // Its server is the primary no more; a new connection finds the one that is.
  pool.on('release', (_error, client) => {
    if (client instanceof PreparingClient && client.isOfFormerPrimary) void client.end();
  });
  return pool;
}

const sessionSettings: pg.PoolConfig = {
  statement_timeout: statementTimeoutMs,
  idle_in_transaction_session_timeout: idleInTransactionTimeoutMs,
  // Whatever an outside server's defaults are: our parsers read ISO dates, and a session has no zone of its own. Compiling a query takes longer than
  // our queries do: checking the books of a test console took 3 s with it and 0.6 s without.
  options: '-c TimeZone=UTC -c DateStyle=ISO,YMD -c jit=off',
};

/** A list as it travels; lists of moments say so by their first one, so what is no timestamptz[] is given as texts. */
const listOf = (values: readonly unknown[]): string | Buffer | undefined =>
  (values[0] instanceof Date ? momentArray(values) : undefined) ?? arrayLiteral(values);

/** A promise or a callback of the driver, whose errors are given their meaning. */
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

/** Says of a database that cannot be used at the moment that it is so: see {@link asUnavailable}. */
class Pool extends pg.Pool {
  // The base class declares overloads with a callback and without; all are passed on as they are.
  override connect(...given: never[]): never {
    return withMeaning((all) => Reflect.apply(super.connect, this, all), given, asUnavailable) as never;
  }

  override query(...given: never[]): never {
    return withMeaning((all) => Reflect.apply(super.query, this, all), given, asUnavailable) as never;
  }
}

/**
 * Prepares what begins with a line `--hot name` once a connection and only runs it from then on: for the few statements of
 * every request, whose parsing and planning would cost more than their work. The name belongs to one text for ever. Lists among the
 * values are written by {@link arrayLiteral}, those of moments by {@link momentArray}.
 */
class PreparingClient extends pg.Client {
  protected readonly prepares: boolean = true;
  /** The server refused to write: to be replaced when it is given back. */
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

  // The base class declares seven overloads of which the pool and Kysely use two; all are passed on as they are.
  override query(...given: never[]): never {
    const [text, values, ...rest] = given as unknown[];
    if (typeof text !== 'string' || !Array.isArray(values)) return this.#querySlowly(given) as never;
    const name = this.prepares ? /^--hot (\S+)\n/.exec(text)?.[1] : undefined;
    const written = values.map((value: unknown) => (Array.isArray(value) ? (listOf(value) ?? value) : value));
    const passed = name === undefined ? [text, written, ...rest] : [{ name, text, values: written }, ...rest];
    if (rest.length > 0) return this.#querySlowly(passed) as never;
    // The driver's own promise hangs on a function that V8 makes in the old generation: what a query held would wait there for a full collection.
    const run = (): Promise<unknown> =>
      new Promise((resolve, reject) => {
        const settle = (error: Error | null, result: unknown): void =>
          error ? reject(this.#meant(error)) : resolve(result);
        Reflect.apply(super.query, this, [...passed, settle]);
      });
    return tracedStatement(text, run) as never;
  }
}

/** For a pooler: the next statement may come to another connection, which knows nothing that was prepared. */
class UnpreparedClient extends PreparingClient {
  protected override readonly prepares = false;
}

/**
 * How values are read, for this pool only (pg's global table stays as it is): int8 → bigint, numeric → string,
 * date and timestamp without zone → the text itself, timestamptz → Date (to the millisecond), and arrays of them alike.
 */
function exactTypes(): pg.CustomTypesConfig {
  const types = new pg.TypeOverrides();
  const text = (value: string) => value;
  const readers: [number, number, (value: string) => unknown][] = [
    [20, 1016, BigInt], // int8
    [1700, 1231, text], // numeric
    [1082, 1182, text], // date
    [1114, 1115, text], // timestamp without time zone: it names no moment, so it must not become one
  ];
  for (const [type, arrayType, read] of readers) {
    types.setTypeParser(type, read);
    types.setTypeParser(arrayType, (value: string) => readArray(value, read));
  }
  return types;
}

/** Reads PostgreSQL's `{…}` of values that hold no quote, comma or brace themselves, in any number of dimensions. */
function readArray(value: string, read: (value: string) => unknown): unknown {
  const json = value
    .replace(/^\[[^=]*\]=/, '')
    .replace(/"[^"]*"|[^{},"]+/g, (item) =>
      item === 'NULL' ? 'null' : item.startsWith('"') ? item : `"${item}"`,
    )
    .replace(/[{}]/g, (brace) => (brace === '{' ? '[' : ']'));
  return JSON.parse(json, (_key, item: unknown) => (typeof item === 'string' ? read(item) : item));
}
