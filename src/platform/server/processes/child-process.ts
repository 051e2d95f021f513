// Starts the processes beside the console: those that draw PDFs and make backups, and those for what the console must not do itself because
// it may run for ever or take all memory: reading uploads, evaluating expressions. A thread is not enough for that: one allocation beyond
// its limit ends the whole process (docs/decisions/0136-untrusted-work.md).
import { fork, type ChildProcess, type Serializable } from 'node:child_process';
import { once } from 'node:events';
import { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { childEnvironment } from '../config.ts';

const living = new Set<ChildProcess>();
// A child that hangs does not notice that the console ended.
process.on('exit', () => {
  for (const child of living) child.kill('SIGKILL');
});

export type ChildOptions = {
  /** Limit of the heap, in megabytes. */
  readonly heapMb: number;
  /** What it must know besides {@link childEnvironment}. */
  readonly env?: Readonly<Record<string, string>>;
  /** Whether what it writes to stderr is read by the console instead of joining its own. */
  readonly isHeard?: boolean;
};

/**
 * Starts a script in a process of its own, which gets none of the console's environment, and so none of its secrets. Its stdin closes when
 * the console ends, however it ends.
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

/** While it has nothing to do, a process must not keep the console from exiting. */
export function setKeepAlive(child: ChildProcess, needed: boolean): void {
  const act = needed ? 'ref' : 'unref';
  child[act]();
  child.channel?.[act]();
  if (child.stderr instanceof Socket) child.stderr[act]();
}

/** A process was ended by the system, as when it takes more memory than it may. */
export class ChildCrashed extends Error {
  override readonly name = 'ChildCrashed';
}

export type Guarded<Message, Answer> = {
  /**
   * Sends a message and waits for the answer; one at a time. Rejects with {@link ChildCrashed}, with the signal's reason, and when the
   * process fails otherwise. After a rejection it can only be closed.
   */
  readonly ask: (message: Message, signal: AbortSignal) => Promise<Answer>;
  /** Kills the process, and settles when it has ended. */
  readonly close: () => Promise<void>;
};

const keptStderr = 4000;
/** How Node ends on Windows, where there are no signals, when it runs out of memory. */
const abortCode = 134;

/** Starts a process for untrusted work; its script begins with `obeyConsole`. Between two questions it does not keep the console running. */
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
  // It may end while nobody asks it.
  ended.promise.catch(() => undefined);
  child.on('error', (cause) => ended.reject(new Error('a guarded process failed', { cause })));
  // Not at `exit`: only now its last words were read.
  child.on('close', (code, signal) => {
    const how = `a guarded process ended (${signal ?? code}): ${stderr}`;
    const isCrash = signal !== null || code === abortCode || stderr.includes('FATAL ERROR');
    ended.reject(isCrash ? new ChildCrashed(how) : new Error(how));
  });
  return {
    ask: async (message, signal) => {
      setKeepAlive(child, true);
      try {
        const given: Promise<Answer[]> = once(child, 'message', { signal });
        // When the process ends first, nobody waits for this any more.
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
