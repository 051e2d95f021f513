// Bill proofs as a customer gets them: downloaded, unpacked, and recomputed by the standalone program.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { billProofs } from '#features/operations/bill-proofs/contract.ts';
import type { Id } from '#kernel/ids.ts';
import { openArchive } from '../../verify/archive.ts';
import { judge, keysOf, type Verdict } from '../../verify-bill/verify-bill.ts';
import type { TestConsole } from './console.ts';

/** Unpacks the archive of a proof into a folder; the caller removes it. */
export async function unpackedProof(
  console: TestConsole,
  billId: Id<'bil'>,
  token: string,
  route: typeof billProofs.billProof = billProofs.billProof,
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'skytally-proof-'));
  const { body } = await console.ok(route, { billId }, { token });
  const path = join(folder, 'proof.zip');
  writeFileSync(path, body as Uint8Array);
  await unpack(path, folder);
  rmSync(path);
  return folder;
}

/** Unpacks an archive into a folder. */
export async function unpack(path: string, folder: string): Promise<void> {
  const archive = await openArchive(path);
  for (const file of archive.files)
    writeFileSync(join(folder, file.name), await buffer(await archive.read(file)));
  archive.close();
}

/** What the standalone program reports about the proof in a folder. */
export function judgedFolder(
  folder: string,
  keys = keysOf(readFileSync(join(folder, 'public-keys.json'), 'utf8')),
): Verdict {
  const events = readdirSync(folder).filter((name) => name.endsWith('.ndjson'));
  return judge(
    {
      bill: readFileSync(join(folder, 'bill.json')),
      signature: readFileSync(join(folder, 'bill.json.sig'), 'utf8'),
      events: new Map(events.map((name) => [name, readFileSync(join(folder, name))])),
    },
    keys,
  );
}

/** The findings about a bill's proof as texts: each mismatch, and the number of matches. */
export async function proven(
  console: TestConsole,
  billId: Id<'bil'>,
  token: string,
): Promise<{
  readonly differing: readonly string[];
  readonly left: readonly string[];
  readonly same: number;
}> {
  const folder = await unpackedProof(console, billId, token);
  try {
    const { refused, findings } = judgedFolder(folder);
    const texts = (outcome: string): string[] =>
      findings
        .filter((each) => each.outcome === outcome)
        .map(
          ({ line, check, stated, found, note }) => `${line ?? 'bill'} ${check} ${stated} ${found} ${note}`,
        );
    return {
      differing: [...(refused === null ? [] : [refused]), ...texts('differs')],
      left: texts('not_recomputed'),
      same: findings.filter(({ outcome }) => outcome === 'same').length,
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
