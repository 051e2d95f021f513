// COPY in both directions: the fastest way to move rows out of a table and into one, in pieces, with
// back-pressure.
import { once } from 'node:events';
import type pg from 'pg';

declare module 'pg' {
  // Members of the library that its types omit.
  interface Connection {
    sendCopyFromChunk(chunk: Uint8Array): void;
    endCopyFrom(): void;
    sendCopyFail(message: string): void;
  }
}

/**
 * Session options for copying (`options` of a connection): a canonical value format whatever the server's
 * defaults, and no timeouts.
 */
export const copySession =
  '-c TimeZone=UTC -c DateStyle=ISO,YMD -c IntervalStyle=postgres -c extra_float_digits=1 -c bytea_output=hex -c statement_timeout=0 -c lock_timeout=0 -c idle_in_transaction_session_timeout=0';

const pieceBytes = 1024 * 1024;
const maxWaiting = 4;

/** A running COPY, as `pg` drives it: `pg` calls these methods while the statement runs. */
class CopyStatement {
  readonly #statement: string;
  readonly #ended = Promise.withResolvers<void>();
  connection: pg.Connection | undefined;
  failure: Error | undefined;

  constructor(statement: string) {
    this.#statement = statement;
    // Whoever reads the rows awaits it later; until then this prevents an unhandled rejection.
    this.ended.catch(() => undefined);
  }

  get ended(): Promise<void> {
    return this.#ended.promise;
  }
  submit(connection: pg.Connection): void {
    this.connection = connection;
    connection.query(this.#statement);
  }
  handleError(error: Error): void {
    this.failure ??= error;
    this.#ended.reject(this.failure);
  }
  handleReadyForQuery(): void {
    this.#ended.resolve();
  }
  handleCommandComplete(): void {}
  handleRowDescription(): void {}
  handleDataRow(): void {}
  handlePortalSuspended(): void {}
  handleEmptyQuery(): void {}
}

class CopyOut extends CopyStatement {
  readonly pieces: Buffer[] = [];
  #open: Buffer[] = [];
  #openBytes = 0;
  #wake: () => void = () => undefined;

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    // The parser reuses the memory of the chunk.
    this.#open.push(Buffer.from(chunk));
    this.#openBytes += chunk.length;
    if (this.#openBytes < pieceBytes) return;
    this.close();
    if (this.pieces.length >= maxWaiting) this.connection?.stream.pause();
  }
  override handleError(error: Error): void {
    super.handleError(error);
    this.#wake();
  }
  override handleReadyForQuery(): void {
    this.close();
    super.handleReadyForQuery();
    this.#wake();
  }
  close(): void {
    if (this.#openBytes > 0) this.pieces.push(Buffer.concat(this.#open));
    this.#open = [];
    this.#openBytes = 0;
    this.#wake();
  }
  /** Resolves when there is another piece, or when the statement has ended. */
  news(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    return promise;
  }
}

/**
 * Yields the output of `copy … to stdout` in pieces of about one mebibyte, split between rows. The connection
 * is busy until it ends.
 */
export async function* copyOut(client: pg.ClientBase, statement: string): AsyncGenerator<Buffer, void, void> {
  const copy = client.query(new CopyOut(statement));
  let isOver = false;
  const ended = copy.ended.then(
    () => (isOver = true),
    () => (isOver = true),
  );
  try {
    for (;;) {
      const piece = copy.pieces.shift();
      if (piece) {
        copy.connection?.stream.resume();
        yield piece;
      } else if (isOver) break;
      else await Promise.race([copy.news(), ended]);
    }
  } finally {
    // A consumer that stops early leaves a connection that the server is still writing to; draining it lets
    // it close.
    copy.connection?.stream.resume();
  }
  await copy.ended;
}

class CopyIn extends CopyStatement {
  readonly ready = Promise.withResolvers<void>();

  handleCopyInResponse(): void {
    this.ready.resolve();
  }
  override handleError(error: Error): void {
    super.handleError(error);
    this.ready.resolve();
  }
}

/**
 * Feeds `copy … from stdin`. Rejects with the database's error, or with that of `rows`; in either case the
 * statement inserts no row.
 */
export async function copyIn(
  client: pg.ClientBase,
  statement: string,
  rows: AsyncIterable<Uint8Array>,
): Promise<void> {
  const copy = client.query(new CopyIn(statement));
  await copy.ready.promise;
  const { connection } = copy;
  if (copy.failure || !connection) return copy.ended;
  try {
    for await (const piece of rows) {
      if (copy.failure) break;
      connection.sendCopyFromChunk(piece);
      if (connection.stream.writableNeedDrain)
        await Promise.race([once(connection.stream, 'drain'), copy.ended]);
    }
  } catch (error) {
    if (copy.failure) return copy.ended;
    connection.sendCopyFail('the rows could not be read');
    await copy.ended.catch(() => undefined);
    throw error;
  }
  if (!copy.failure) connection.endCopyFrom();
  await copy.ended;
}
