// How this process and its machine have been doing, minute by minute for an hour: kept in memory, lost with the process.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import { cpuMeter, disk, memory } from './machine.ts';

/** One minute that is over. Percentages have one fraction digit; durations are in milliseconds. */
export type Reading = {
  readonly at: Date;
  readonly cpu: number;
  readonly memory: number;
  readonly disk: number;
  /** Requests answered, those of them with a 5xx, and the slowest of all. */
  readonly requests: number;
  readonly failed: number;
  readonly slowestMs: number;
  /** How long the event loop kept things waiting: the 99th percentile. */
  readonly lagMs: number;
};

const everyMs = 60_000;
const maxReadings = 60;
const lagResolutionMs = 20;
const nanosInMs = 1e6;

export class Vitals {
  readonly startedAt: Date;
  readonly #dataDir: string;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #cpu = cpuMeter();
  readonly #lag = monitorEventLoopDelay({ resolution: lagResolutionMs });
  #readings: readonly Reading[] = [];
  #minute = { requests: 0, failed: 0, slowestMs: 0 };
  #timer: NodeJS.Timeout | undefined;
  #answered = 0;
  /** How many are connected live, and what they hear; set when the broker is up. */
  live: () => { clients: number; subscriptions: number } = () => ({ clients: 0, subscriptions: 0 });

  constructor(dataDir: string, clock: Clock, log: Logger) {
    this.#dataDir = dataDir;
    this.#clock = clock;
    this.startedAt = clock.now();
    this.#log = log;
  }

  /** Begins to read once a minute; it keeps no process alive. */
  start(): void {
    this.#lag.enable();
    this.#timer = setInterval(() => void this.read(), everyMs);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#lag.disable();
  }

  /** Counts an answered request. */
  observe(status: number, elapsedMs: number): void {
    this.#minute.requests += 1;
    this.#answered += 1;
    if (status >= 500) this.#minute.failed += 1;
    if (elapsedMs > this.#minute.slowestMs) this.#minute.slowestMs = elapsedMs;
  }

  /** How many requests were answered since the start: the difference of two reads is the number of requests in between. */
  answered(): number {
    return this.#answered;
  }

  /** Closes the minute that runs: what was counted becomes a reading. */
  async read(): Promise<void> {
    const at = this.#clock.now();
    const { requests, failed, slowestMs } = this.#minute;
    this.#minute = { requests: 0, failed: 0, slowestMs: 0 };
    // Without a single sample the histogram answers NaN.
    const lag = this.#lag.percentile(99) / nanosInMs - lagResolutionMs;
    this.#lag.reset();
    try {
      const [memoryNow, diskNow] = await Promise.all([memory(), disk(this.#dataDir)]);
      const reading: Reading = {
        at,
        cpu: this.#cpu().percent,
        memory: memoryNow.percent,
        disk: diskNow.percent,
        requests,
        failed,
        slowestMs: Math.round(slowestMs),
        lagMs: Number.isFinite(lag) ? Math.max(0, Math.round(lag)) : 0,
      };
      this.#readings = [...this.#readings, reading].slice(-maxReadings);
    } catch (error) {
      this.#log.warn({ err: error }, 'the machine could not be read');
    }
  }

  /** The minutes of the last hour, the oldest first. */
  readings(): readonly Reading[] {
    return this.#readings;
  }
}
