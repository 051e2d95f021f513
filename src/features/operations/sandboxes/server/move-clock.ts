// Moves the clock of a sandbox forward. A step is a day in its time zone; within a day, every scheduled job
// runs once, at its scheduled time, and again whenever it reports that something is due. Jobs handle
// everything that is due by then, so a skipped run only delays by hours, as in a console that was switched
// off.
import { randomUUID } from 'node:crypto';
import type { Id } from '#kernel/ids.ts';
import { required } from '#kernel/assert.ts';
import { failPoint } from '#platform/server/fail-point.ts';
import type { Job } from '#platform/server/jobs/jobs.ts';
import { runOnce } from '#platform/server/jobs/step-jobs.ts';
import type { OpenSandbox } from '#platform/server/sandbox-host.ts';
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { timeZoneSetting } from '#features/access/identity/server/index.ts';
import { nextMidnight } from '../rules.ts';
import { claimMove, endMove, leaveMove, saveClock, storeHoldings, type SandboxRow } from './store.ts';
import { holdingsOf } from './store-inside.ts';
import { turnFor, turnsOf, type Turn } from './turns.ts';

const actor = { kind: 'system', name: 'sandboxes' } as const;
const inside = { actor: { kind: 'system', name: 'sandbox' }, mode: 'read' } as const;

/** Returns the time zone of a sandbox. */
export const zoneInside = (sandbox: OpenSandbox<App>): Promise<string> =>
  unitOfWork(sandbox.app, inside, (ctx) => ctx.setting(timeZoneSetting));

/** Counts the contents of a sandbox and stores the counts. */
export async function noteHoldings(app: App, sandboxId: Id<'sbx'>, sandbox: OpenSandbox<App>): Promise<void> {
  const held = await unitOfWork(sandbox.app, inside, holdingsOf);
  await unitOfWork(app, { actor }, async (ctx) => {
    await storeHoldings(ctx, sandboxId, held);
  });
}

/**
 * Carries out a requested move from its current position. Does nothing when another process carries it out,
 * or when it was canceled.
 */
export async function makeMove(app: App, sandboxId: Id<'sbx'>, signal: AbortSignal): Promise<void> {
  if (!app.sandboxes) return;
  const mover = randomUUID();
  const row = await unitOfWork(app, { actor }, (ctx) => claimMove(ctx, sandboxId, mover));
  if (!row) return;
  try {
    await app.sandboxes.use(row, async (sandbox) => {
      const move = new Move(app, row, mover, sandbox, AbortSignal.any([signal, sandbox.signal]));
      await move.make();
      await noteHoldings(app, sandboxId, sandbox);
    });
  } finally {
    await unitOfWork(app, { actor }, (ctx) => leaveMove(ctx, sandboxId, mover));
  }
}

class Move {
  readonly #app: App;
  readonly #id: Id<'sbx'>;
  readonly #mover: string;
  readonly #sandbox: OpenSandbox<App>;
  readonly #signal: AbortSignal;
  readonly #to: Date;
  #now: Date;

  constructor(app: App, row: SandboxRow, mover: string, sandbox: OpenSandbox<App>, signal: AbortSignal) {
    this.#app = app;
    this.#id = row.id;
    this.#mover = mover;
    this.#sandbox = sandbox;
    this.#signal = signal;
    this.#to = required(row.moveTo, 'where the clock goes');
    this.#now = row.clockAt;
  }

  async make(): Promise<void> {
    const zone = await zoneInside(this.#sandbox);
    // A previous mover may have died between storing the time and running the jobs that were due then.
    let turns = turnsOf(this.#sandbox.jobs, new Date(this.#now.getTime() - 1), this.#now);
    for (;;) {
      const until = new Date(Math.min(nextMidnight(this.#now, zone).getTime(), this.#to.getTime()));
      const isLast = until.getTime() === this.#to.getTime();
      turns = [...turns, ...turnsOf(this.#sandbox.jobs, this.#now, until, { isLast })];
      if (!(await this.#day(turns, until, isLast))) return;
      turns = [];
      this.#signal.throwIfAborted();
      if (isLast) break;
    }
    await unitOfWork(this.#app, { actor }, (ctx) => endMove(ctx, this.#id, 'done'));
  }

  /** Advances through a day, or the rest of one. Returns whether the move continues. */
  async #day(planned: readonly Turn[], until: Date, isLast: boolean): Promise<boolean> {
    const waiting = [...planned];
    for (let known = await this.#dueTurns(until); waiting.length > 0 || known.length > 0;) {
      const at = new Date(
        Math.min(...[waiting[0], known[0]].flatMap((turn) => (turn ? [turn.at.getTime()] : []))),
      );
      const isAt = (turn: Turn): boolean => turn.at.getTime() === at.getTime();
      const due = [...waiting, ...known].filter(isAt).flatMap(({ jobs }) => jobs);
      if (!(await this.#goTo(at))) return false;
      await this.#run(this.#sandbox.jobs.filter((job) => due.includes(job)));
      while (waiting[0] && isAt(waiting[0])) waiting.shift();
      if (known[0] && isAt(known[0])) known = await this.#dueTurns(until);
    }
    if (!(await this.#goTo(until))) return false;
    await this.#run(
      this.#sandbox.jobs.filter(
        ({ everySeconds, keepsFigures }) => everySeconds !== undefined && (isLast || keepsFigures !== true),
      ),
    );
    return true;
  }

  /** The runs of jobs that report when they have something to do next. */
  async #dueTurns(until: Date): Promise<Turn[]> {
    const found: Turn[] = [];
    for (const job of this.#sandbox.jobs) {
      const { nextAt, schedule } = job;
      if (nextAt === undefined || schedule === undefined) continue;
      const dueAt = await this.#sandbox.within(() => nextAt(this.#sandbox.app));
      const at = dueAt && turnFor(schedule, dueAt, this.#now, until);
      // A job that was already due has run; repeating it at the same time would not help.
      if (at && dueAt > this.#now) found.push({ at, jobs: [job] });
    }
    return found.sort((a, b) => a.at.getTime() - b.at.getTime());
  }

  async #goTo(at: Date): Promise<boolean> {
    this.#signal.throwIfAborted();
    // Stored first: after a restart, the clock must not be earlier than data that is already dated.
    if (!(await saveClock(this.#app, this.#id, this.#mover, at))) return false;
    failPoint(this.#app, 'sandboxes: clock noted');
    this.#now = at;
    this.#sandbox.forward(at);
    return true;
  }

  async #run(jobs: readonly Job[]): Promise<void> {
    for (const job of jobs) {
      this.#signal.throwIfAborted();
      await this.#sandbox.within(() => runOnce(this.#sandbox.app, job, {}, this.#signal));
    }
    await this.#sandbox.drain();
  }
}
