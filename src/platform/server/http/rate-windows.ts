// Where @fastify/rate-limit counts: in the database, so that a limit is one for all consoles.
import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit';
import type pg from 'pg';
import { sha256 } from '../security/digest.ts';
import { asError } from '../system-error.ts';
import { countCall } from './store-rate-windows.ts';

/** The store of one console. Its keys name route and address, and are kept only as digests. */
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
