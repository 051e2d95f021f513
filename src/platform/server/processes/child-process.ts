// Starts the console's child processes: those that draw PDFs and make backups, and those for untrusted work
// that could run forever or exhaust memory, such as reading uploads and evaluating expressions. A thread
// would not do: one allocation beyond its limit ends the whole process
// (docs/decisions/0136-untrusted-work.md).
import { fork, type ChildProcess, type Serializable } from 'node:child_process';
import { once } from 'node:events';
import { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { childEnvironment } from '../config.ts';

const living = new Set<ChildProcess>();
// A child that hangs does not notice that the console has exited.
process.on('exit', () => {
  for (const child of living) child.kill('SIGKILL');
});

export type ChildOptions = {
  /** The heap limit in megabytes. */
  readonly heapMb: number;
  /** Variables that it needs besides {@link childEnvironment}. */
  readonly env?: Readonly<Record<string, string>>;
  /** Whether the console reads the child's stderr, instead of the child sharing the console's. */
  readonly isHeard?: boolean;
};

/**
 * Starts a script in a separate process, which gets none of the console's environment and thus none of its
 * secrets. Its stdin closes when the console exits, however it ends.
 */
export function startChild(script: URL, { heapMb, env, isHeard = false }: ChildOptions): ChildProcess {
  const child = fork(fileURLToPath(script), {
    execArgv: [`--max-old-space-size=${heapMb}`],
    env: { ...childEnvironment(), ...env, NODE_ENV: 'production' },
    serialization: 'advanced',
    stdio: ['pipe', 'ignore', isHeard ? 'pipe' : 'inherit', 'ipc'],
  });
  living.add(child);
  const forget = (): void => void living.delete(child);
  child.once('exit', forget).once('error', forget);
  return child;
}

/** Sets whether a child keeps the console running; idle children must not. */
function setKeepAlive(child: ChildProcess, needed: boolean): void {
  const act = needed ? 'ref' : 'unref';
  child[act]();
  child.channel?.[act]();
  if (child.stderr instanceof Socket) child.stderr[act]();
}

/** The system ended a process, for example because it exceeded its memory limit. */
export class ChildCrashed extends Error {
  override readonly name = 'ChildCrashed';
}

export type Guarded<Message, Answer> = {
  /**
   * Sends a message and waits for the response; one at a time. Rejects with {@link ChildCrashed}, with the
   * signal's reason, and when the process fails otherwise. After a rejection it can only be closed.
   */
  readonly ask: (message: Message, signal: AbortSignal) => Promise<Answer>;
  readonly pid: number | undefined;
  /** Kills the process and resolves when it has exited. */
  readonly close: () => Promise<void>;
};

const keptStderr = 4000;
/** Node's exit code on Windows, which has no signals, when it runs out of memory. */
const abortCode = 134;

/**
 * Starts a process for untrusted work; its script must begin with `obeyConsole`. An idle process does not
 * keep the console running.
 */
export function startGuarded<Message extends Serializable, Answer>(
  script: URL,
  heapMb: number,
): Guarded<Message, Answer> {
  const child = startChild(script, { heapMb, isHeard: true });
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-keptStderr);
  });
  const ended = Promise.withResolvers<never>();
  // It may exit while no question is pending; this prevents an unhandled rejection.
  ended.promise.catch(() => undefined);
  child.on('error', (cause) => ended.reject(new Error('a guarded process failed', { cause })));
  // Not on `exit`: only `close` comes after stderr has been read completely.
  child.on('close', (code, signal) => {
    const how = `a guarded process ended (${signal ?? code}): ${stderr}`;
    const isCrash = signal !== null || code === abortCode || stderr.includes('FATAL ERROR');
    ended.reject(isCrash ? new ChildCrashed(how) : new Error(how));
  });
  return {
    pid: child.pid,
    ask: async (message, signal) => {
      setKeepAlive(child, true);
      try {
        const given: Promise<Answer[]> = once(child, 'message', { signal });
        // If the process exits first, nobody awaits this any more.
        given.catch(() => undefined);
        child.send(message);
        const [answer] = await Promise.race([given, ended.promise]);
        if (answer === undefined) throw new Error('a guarded process answered nothing');
        return answer;
      } catch (error) {
        signal.throwIfAborted();
        throw error;
      } finally {
        setKeepAlive(child, false);
      }
    },
    close: async () => {
      if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
      setKeepAlive(child, true);
      const exit = once(child, 'exit');
      child.kill('SIGKILL');
      await exit;
    },
  };
}

/** The process took longer than its time limit. */
export class ChildTooSlow extends Error {
  override readonly name = 'ChildTooSlow';
}

export type Reusable<Message, Answer> = Omit<Guarded<Message, Answer>, 'ask' | 'pid'> & {
  /** Like {@link Guarded.ask}, but may be called again after a rejection. Rejects with {@link ChildTooSlow}. */
  readonly ask: (message: Message) => Promise<Answer>;
  /** The id of the process, if it is running. */
  readonly pid: () => number | undefined;
};

/**
 * A process for untrusted work that is started with the first message, and again with the next one after it
 * failed, took longer than `longestMs` for a message, or was closed.
 */
export function reusableProcess<Message extends Serializable, Answer>(
  script: URL,
  { heapMb, longestMs }: { readonly heapMb: number; readonly longestMs: number },
): Reusable<Message, Answer> {
  let running: Guarded<Message, Answer> | undefined;
  const close = async (): Promise<void> => {
    const last = running;
    running = undefined;
    await last?.close();
  };
  return {
    ask: async (message) => {
      running ??= startGuarded(script, heapMb);
      const time = AbortSignal.timeout(longestMs);
      try {
        return await running.ask(message, time);
      } catch (error) {
        await close();
        throw time.aborted ? new ChildTooSlow(`longer than ${longestMs} ms`, { cause: error }) : error;
      }
    },
    pid: () => running?.pid,
    close,
  };
}
