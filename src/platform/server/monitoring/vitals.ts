// Vital signs of this process and its machine, per minute for the last hour: kept in memory, lost with the
// process.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import { cpuMeter, disk, memory } from './machine.ts';

/** One completed minute. Percentages have one fraction digit; durations are in milliseconds. */
export type Reading = {
  readonly at: Date;
  readonly cpu: number;
  readonly memory: number;
  readonly disk: number;
  /** The number of requests, of those with a 5xx response, and the duration of the slowest. */
  readonly requests: number;
  readonly failed: number;
  readonly slowestMs: number;
  /** The event loop delay: the 99th percentile. */
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
  /** The number of live clients and of their subscriptions; set once the broker is running. */
  live: () => { clients: number; subscriptions: number } = () => ({ clients: 0, subscriptions: 0 });

  constructor(dataDir: string, clock: Clock, log: Logger) {
    this.#dataDir = dataDir;
    this.#clock = clock;
    this.startedAt = clock.now();
    this.#log = log;
  }

  /** Starts sampling once a minute; the timer does not keep the process alive. */
  start(): void {
    this.#lag.enable();
    this.#timer = setInterval(() => void this.read(), everyMs);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#lag.disable();
  }

  /** Counts a completed request. */
  observe(status: number, elapsedMs: number): void {
    this.#minute.requests += 1;
    this.#answered += 1;
    if (status >= 500) this.#minute.failed += 1;
    if (elapsedMs > this.#minute.slowestMs) this.#minute.slowestMs = elapsedMs;
  }

  /** The number of requests since the start; the difference between two calls is the number in between. */
  answered(): number {
    return this.#answered;
  }

  /** Completes the current minute and stores it as a reading. */
  async read(): Promise<void> {
    const at = this.#clock.now();
    const { requests, failed, slowestMs } = this.#minute;
    this.#minute = { requests: 0, failed: 0, slowestMs: 0 };
    // Without any sample the histogram returns NaN.
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

  /** The minutes of the last hour, oldest first. */
  readings(): readonly Reading[] {
    return this.#readings;
  }
}
