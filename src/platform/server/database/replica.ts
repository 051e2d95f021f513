// A read replica: whether it may serve a caller at the moment, and how far it lags behind.
import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import { asError } from '#kernel/errors.ts';
import type { Log } from '../log.ts';
import { StartRefused } from '../start-refused.ts';
import { openPool } from './pool.ts';
import {
  lastWritesOf,
  primaryPlace,
  serverNow,
  storeLastWrite,
  type Place,
  type ServerNow,
} from './store-last-writes.ts';
import { isDatabaseUnavailable } from './unavailable.ts';

/** A replica that lags further behind is not used; the primary serves all reads. */
export const maxLagSeconds = 10;
/**
 * After a crash of the primary, callers' recent writes are unknown for this long; by then the replica has
 * replayed them, or is not used.
 */
const settledSeconds = maxLagSeconds + 5;
const pollEveryMs = 1000;
const catchUpEveryMs = 25;
const connectWithinMs = 2000;
/** The primary's position, sampled once a second, for longer than a replica may lag. */
const keptPlaces = 120;
const poolSize = 16;

/** The state as shown on the monitoring page. */
export type ReplicaNow = {
  /** Why it is not used; null while it is. */
  readonly problem: 'away' | 'late' | 'other_database' | null;
  readonly lagMs: number;
  readonly lagBytes: number;
  /** The address leads to the primary itself, as some clouds do while there is no replica. */
  readonly isPrimary: boolean;
  /** Since the start: how many reads it served, and how many it could have served but the primary did. */
  readonly answered: number;
  readonly passedOn: number;
};

class OtherDatabase extends Error {
  override readonly name = 'OtherDatabase';
}

export class Replica {
  readonly kysely: Kysely<unknown>;
  readonly #pool: pg.Pool;
  readonly #primary: pg.Pool;
  readonly #identity: Pick<ServerNow, 'system' | 'database'>;
  readonly #log: Log;
  /** The server behind each connection. */
  readonly #servers = new Map<unknown, string>();
  #timer: NodeJS.Timeout | undefined;
  #polling: Promise<void> | undefined;
  #problem: ReplicaNow['problem'] = 'away';
  /** The position that every connection's server has reached at least. */
  #replayed: Place = 0n;
  #primaryAt: Place = 0n;
  #isPrimary = false;
  #places: { readonly at: number; readonly place: Place }[] = [];
  #answered = 0;
  #passedOn = 0;

  private constructor(
    url: string,
    options: {
      primary: pg.Pool;
      identity: Pick<ServerNow, 'system' | 'database'>;
      log: Log;
    },
  ) {
    this.#primary = options.primary;
    this.#identity = options.identity;
    this.#log = options.log;
    this.#pool = openPool(url, {
      max: poolSize,
      log: options.log,
      connectWithinMs,
      onConnect: (client) => this.#admit(client),
    });
    this.#pool.on('remove', (client) => this.#servers.delete(client));
    this.kysely = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: this.#pool }) });
  }

  /**
   * Opens the replica at `url` of the database behind `primary`. If it does not answer, it is retried every
   * second.
   * @throws StartRefused when a server answers that cannot be used.
   */
  static async open(url: string, primary: pg.Pool, log: Log): Promise<Replica> {
    const replica = new Replica(url, {
      primary,
      identity: await serverNow(primary),
      log,
    });
    try {
      await replica.#pool.query('select 1');
    } catch (error) {
      if (!isDatabaseUnavailable(error)) {
        await replica.close();
        throw new StartRefused(
          error instanceof OtherDatabase
            ? 'DATABASE_READ_URL leads to a server that is no replica of the database of DATABASE_URL (another cluster, or another database of it). Correct it, or remove it.'
            : `DATABASE_READ_URL: the server refuses (${asError(error).message}). Correct the address, its user and password, or remove it.`,
          { cause: error },
        );
      }
      log.error(
        { err: error },
        'the replica of DATABASE_READ_URL does not answer; the primary is read until it does. If it never does, correct the address or remove it',
      );
    }
    await replica.#poll();
    replica.#timer = setInterval(() => {
      replica.#polling ??= replica.#poll().finally(() => (replica.#polling = undefined));
    }, pollEveryMs);
    replica.#timer.unref();
    return replica;
  }

  /** Checks a connection before it is used: that it leads to this database, and how far its server has replayed. */
  async #admit(client: pg.ClientBase): Promise<void> {
    const now = await serverNow(client);
    if (now.system !== this.#identity.system || now.database !== this.#identity.database)
      throw new OtherDatabase('another database');
    this.#servers.set(client, now.start);
    // Its server may differ from that of earlier connections.
    if (now.place < this.#replayed) this.#replayed = now.place;
  }

  /** Polls the positions of both servers, once a second. */
  async #poll(): Promise<void> {
    try {
      this.#primaryAt = await primaryPlace(this.#primary);
      this.#places = [...this.#places, { at: performance.now(), place: this.#primaryAt }].slice(-keptPlaces);
      await this.#askReplica();
      this.#problem = this.#lagMs() > maxLagSeconds * 1000 ? 'late' : null;
    } catch (error) {
      const problem = error instanceof OtherDatabase ? 'other_database' : 'away';
      if (this.#problem !== problem)
        this.#log.warn({ err: error, problem }, 'the replica is not read at the moment');
      this.#problem = problem;
    }
  }

  async #askReplica(): Promise<void> {
    const now = await serverNow(this.#pool);
    this.#isPrimary = !now.isReplica;
    // Several servers mean a load balancer: what one replica has replayed, another may lack.
    if (new Set(this.#servers.values()).size <= 1 && now.place > this.#replayed) this.#replayed = now.place;
  }

  /** How long ago the primary got the first change that the replica lacks; 0 when it lacks none. */
  #lagMs(): number {
    const missing = this.#places.find(({ place }) => place > this.#replayed);
    return missing === undefined ? 0 : performance.now() - missing.at;
  }

  /**
   * Whether it may serve `caller` now: it does not lag too far, and has the caller's last write. `caller` is
   * undefined for callers that never write.
   */
  async isFitFor(
    caller: string | undefined,
    lastWrite: (caller: string) => Promise<Place | null | 'unknown'>,
  ): Promise<boolean> {
    const isFit = this.#problem === null && (caller === undefined || (await this.#has(caller, lastWrite)));
    if (isFit) this.#answered++;
    else this.#passedOn++;
    return isFit;
  }

  async #has(
    caller: string,
    lastWrite: (caller: string) => Promise<Place | null | 'unknown'>,
  ): Promise<boolean> {
    const place = await lastWrite(caller);
    if (place === 'unknown') return false;
    if (place === null || place <= this.#replayed) return true;
    try {
      await this.#askReplica();
    } catch {
      // The primary serves the read; the next poll reports the problem.
      return false;
    }
    return place <= this.#replayed;
  }

  /** Records that a read failed and goes to the primary instead. If the replica is down, the next poll notices. */
  failed(error: unknown): void {
    this.#answered--;
    this.#passedOn++;
    if (!isDatabaseUnavailable(error)) return;
    this.#log.warn({ err: error }, 'a read of the replica failed; the primary is read');
    this.#problem ??= 'away';
  }

  /** Records a write of `caller`; call it after the change is committed and before the caller gets the response. */
  async noteWrite(caller: string): Promise<void> {
    try {
      await storeLastWrite(this.#primary, caller);
    } catch (error) {
      this.#log.warn({ err: error }, 'where a change is in the log could not be kept');
    }
  }

  /** The positions of the callers' last writes, across all consoles. */
  lastWrites(callers: readonly string[]): Promise<(Place | null | 'unknown')[]> {
    return lastWritesOf(this.#primary, callers, settledSeconds);
  }

  /** Resolves when the replica has replayed the primary's current position, or is no longer used. */
  async caughtUp(): Promise<void> {
    try {
      if (this.#problem !== null) return;
      const place = await primaryPlace(this.#primary);
      while (this.#problem === null && this.#replayed < place) {
        await this.#askReplica();
        if (this.#replayed < place) await sleep(catchUpEveryMs);
      }
    } catch (error) {
      this.#log.debug({ err: error }, 'whether the replica has caught up is not known');
    }
  }

  now(): ReplicaNow {
    const behind = this.#primaryAt - this.#replayed;
    return {
      problem: this.#problem,
      lagMs: Math.round(this.#lagMs()),
      lagBytes: behind > 0n ? Number(behind) : 0,
      isPrimary: this.#isPrimary,
      answered: this.#answered,
      passedOn: this.#passedOn,
    };
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#polling;
    await this.#pool.end();
  }
}
