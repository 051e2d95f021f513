// Runs the independent checker as a separate process, so that a faulty console cannot make it report success.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import * as z from 'zod/mini';
import { childEnvironment } from '#platform/server/config.ts';
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import { CheckResult } from '../contract.ts';

const program = fileURLToPath(new URL('../../../../../verify/verify.ts', import.meta.url));

const Line = z.discriminatedUnion('type', [
  z.object({ type: z.literal('begin'), checks: z.array(z.string()) }),
  z.object({ type: z.literal('check'), ...CheckResult.shape }),
  z.object({ type: z.literal('end'), verdict: CheckResult.shape.verdict }),
]);
/** One line of the checker's output. */
export type CheckerLine = z.output<typeof Line>;

/**
 * The checker's environment: only the database connection, none of the console's other settings or secrets.
 */
function place({ database: { where } }: App): Record<string, string> {
  if (typeof where === 'string') return { DATABASE_URL: where };
  const { host, port, user, database, password } = where;
  return {
    PGHOST: host,
    PGPORT: String(port),
    PGUSER: user,
    PGDATABASE: database,
    ...(password !== undefined && { PGPASSWORD: password }),
  };
}

/**
 * Runs the checker on all books or on one organization's, and passes on each line as it arrives. Throws when
 * the checker ends without a verdict.
 */
export async function runChecker(
  app: App,
  organizationId: string | null,
  hear: (line: CheckerLine) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const child = spawn(
    process.execPath,
    [program, '--json', ...(organizationId === null ? [] : ['--organization', organizationId])],
    { env: { ...childEnvironment(), ...place(app) }, stdio: ['ignore', 'pipe', 'pipe'], signal },
  );
  const ended = new Promise<void>((resolve, reject) =>
    child.once('error', reject).once('close', () => resolve()),
  );
  let errorOutput = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errorOutput = (errorOutput + text).slice(-500);
  });
  let isOver = false;
  for await (const text of createInterface({ input: child.stdout })) {
    const line = z.parse(Line, JSON.parse(text));
    isOver ||= line.type === 'end';
    await hear(line);
  }
  await ended;
  if (!isOver) throw new Error(errorOutput.trim() || 'the checker ended without a verdict');
}
