// The store of @fastify/rate-limit: in the database, so that a limit applies to all consoles together.
import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit';
import type pg from 'pg';
import { asError } from '#kernel/errors.ts';
import { sha256 } from '../security/digest.ts';
import { countCall } from './store-rate-windows.ts';

/** The rate-limit store. Its keys consist of route and address, and are stored only as digests. */
export function rateWindowsIn(pool: pg.Pool): FastifyRateLimitStoreCtor {
  return class RateWindows implements FastifyRateLimitStore {
    incr: FastifyRateLimitStore['incr'] = (key, done, windowMs) => {
      countCall(pool, sha256(key), windowMs).then(
        ({ calls, leftMs }) => done(null, { current: calls, ttl: leftMs }),
        (error: unknown) => done(asError(error)),
      );
    };
    child = (): FastifyRateLimitStore => this;
  };
}
