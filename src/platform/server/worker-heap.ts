// How much memory a worker thread may take.
import type { ResourceLimits } from 'node:worker_threads';

/**
 * What Node lets a thread have beyond its limit so that it can end (`Worker::NearHeapLimit`, 16 MB). What one collection moves out of the young
 * generation must fit in it: otherwise not the thread ends but the whole console.
 */
const youngMb = 8;

/** Limits of a worker whose heap may have so many megabytes; one that takes more ends with `ERR_WORKER_OUT_OF_MEMORY`. */
export const heapLimits = (megabytes: number): ResourceLimits => ({
  maxOldGenerationSizeMb: megabytes,
  maxYoungGenerationSizeMb: youngMb,
});
