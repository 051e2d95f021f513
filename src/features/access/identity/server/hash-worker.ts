// A thread that hashes passwords at low priority, so that a flood of sign-ins does not slow down other
// requests.
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { hashSync, verifySync } from '@node-rs/argon2';
import { asError } from '#kernel/errors.ts';

/** A task for a thread: hash a text, or verify it against a stored hash. */
export type HashTask = { readonly text: string; readonly stored?: string };
export type HashResult =
  | { readonly hash: string }
  | { readonly matches: boolean }
  | { readonly error: string };

// OWASP's first recommendation: 19 MiB, two passes, one lane; the library's default algorithm is argon2id.
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
const niceness = 19;

try {
  // On Linux, id 0 is the calling thread. On other systems it would lower the priority of the whole process.
  if (process.platform === 'linux') setPriority(0, niceness);
} catch {
  // Not permitted here; hashing then competes with requests at equal priority.
}

const answer = ({ text, stored }: HashTask): HashResult => {
  try {
    return stored === undefined
      ? { hash: hashSync(text, parameters) }
      : { matches: verifySync(stored, text) };
  } catch (error) {
    return { error: asError(error).message };
  }
};
parentPort?.on('message', (task: HashTask) => parentPort?.postMessage(answer(task)));
