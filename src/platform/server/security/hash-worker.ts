// One thread that hashes passwords. It steps back for everything else: a flood of sign-ins must not slow other requests.
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { hashSync, verifySync } from '@node-rs/argon2';

/** What a thread is asked: a hash of a text, or whether a text belongs to a stored hash. */
export type HashTask = { readonly id: number; readonly text: string; readonly stored?: string };
export type HashResult = {
  readonly id: number;
  readonly hash?: string;
  readonly matches?: boolean;
  readonly error?: string;
};

// OWASP's first choice: 19 MiB, two passes, one lane; the library's default algorithm is argon2id.
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
const niceness = 19;

try {
  // Process 0 is the calling thread on Linux; elsewhere the whole process would step back, which does nothing for us.
  if (process.platform === 'linux') setPriority(0, niceness);
} catch {
  // Not allowed to: then hashing competes with requests on equal terms.
}

const answer = ({ id, text, stored }: HashTask): HashResult => {
  try {
    return stored === undefined
      ? { id, hash: hashSync(text, parameters) }
      : { id, matches: verifySync(stored, text) };
  } catch (error) {
    return { id, error: error instanceof Error ? error.message : String(error) };
  }
};
parentPort?.on('message', (task: HashTask) => parentPort?.postMessage(answer(task)));
