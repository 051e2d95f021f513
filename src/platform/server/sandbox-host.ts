// Types for running the consoles of sandboxes beside the console itself: a sandbox has its own database and
// shares nothing else.
import type { JobKind } from './jobs/job-kind.ts';

/** A sandbox as recorded in the console's database. */
export type SandboxPlace = {
  readonly id: string;
  /** The name of its database; resetting a sandbox gives it another one. */
  readonly database: string;
  readonly clockAt: Date;
};

/** A call to a sandbox's API, through its whole HTTP stack. */
export type SandboxCall = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Below /api. */
  readonly path: string;
  readonly bearer?: string;
  readonly body?: object;
};

/** A sandbox's console that runs in this process. `A` is the type of its app. */
export type OpenSandbox<A> = {
  readonly app: A;
  /** All kinds of jobs of a console, in declaration order. */
  readonly jobs: readonly JobKind<A>[];
  /** Aborted when it is to stop. */
  readonly signal: AbortSignal;
  /** Moves its clock forward to a moment; a moment before its current time is ignored. */
  readonly forward: (to: Date) => void;
  /** Runs work of the sandbox, which may not call other servers. */
  readonly within: <T>(run: () => Promise<T>) => Promise<T>;
  /** Runs the jobs that were requested, until none is left. */
  readonly drain: () => Promise<void>;
  /** Makes a call to the sandbox. @throws Error with the response when it does not succeed */
  readonly call: (call: SandboxCall) => Promise<unknown>;
};

export type SandboxHost<A> = {
  /** Creates an empty database. @throws the database's error, `42501` when the role lacks permission */
  readonly createDatabase: (database: string) => Promise<void>;
  /** The console's database role, quoted for SQL. */
  readonly role: () => Promise<string>;
  /** Drops a database and the files that belong to it, if they exist. */
  readonly dropDatabase: (database: string) => Promise<void>;
  /** The databases of sandboxes on the server that this installation, or one that no longer exists, created. */
  readonly databases: () => Promise<readonly string[]>;
  /** Runs work with a sandbox's console, which is started if necessary and kept running until the work is done. */
  readonly use: <T>(place: SandboxPlace, run: (sandbox: OpenSandbox<A>) => Promise<T>) => Promise<T>;
};
