// What runs the consoles of sandboxes beside the console itself: a sandbox has a database of its own, and shares nothing else with it.
import type { JobKind } from './jobs/job-kind.ts';

/** A sandbox as it stands in the console's database. */
export type SandboxPlace = {
  readonly id: string;
  /** The name of its database; a sandbox that was reset has another one. */
  readonly database: string;
  readonly clockAt: Date;
};

/** A call inside a sandbox, through all of its HTTP. */
export type SandboxCall = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Below /api. */
  readonly path: string;
  readonly bearer?: string;
  readonly body?: object;
};

/** The console of a sandbox that runs in this process. `A` is what lives as long as a console. */
export type OpenSandbox<A> = {
  readonly app: A;
  /** Every job that a console has, in the order in which they are declared. */
  readonly jobs: readonly JobKind<A>[];
  /** Aborted when it is to stop. */
  readonly signal: AbortSignal;
  /** Brings its clock to a moment; an earlier one than its own is left alone. */
  readonly forward: (to: Date) => void;
  /** Runs work of the sandbox, which may call no other server. */
  readonly within: <T>(run: () => Promise<T>) => Promise<T>;
  /** Runs the jobs that were asked for, until none is left. */
  readonly drain: () => Promise<void>;
  /** Makes a call inside. @throws Error with its answer when it does not succeed */
  readonly call: (call: SandboxCall) => Promise<unknown>;
};

export type SandboxHost<A> = {
  /** Makes an empty database. @throws the database's error, `42501` when the role may not */
  readonly createDatabase: (database: string) => Promise<void>;
  /** The database role of the console, as SQL writes it. */
  readonly role: () => Promise<string>;
  /** Drops a database and the files beside it, if they are there. */
  readonly dropDatabase: (database: string) => Promise<void>;
  /** Databases of sandboxes that this installation, or one that is no more, has made on the server. */
  readonly databases: () => Promise<readonly string[]>;
  /** Runs work with the console of a sandbox, which is started when it is not running, and stays for as long as the work takes. */
  readonly use: <T>(place: SandboxPlace, run: (sandbox: OpenSandbox<A>) => Promise<T>) => Promise<T>;
};
