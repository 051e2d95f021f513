// The archive with which a customer verifies a license without this console: verifier, collector and public
// keys.
import { readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import type { FileAnswer } from '#kernel/contract.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { zipOf, type ZipEntry } from '#platform/server/files/zip.ts';
import { publicKeys } from './keys.ts';

const folder = new URL('../../../../../verify-licence/', import.meta.url);
let programs: Promise<readonly ZipEntry[]> | undefined;

/** The programs as JavaScript, so that they run on any Node version that a customer may have; built once. */
async function readPrograms(): Promise<readonly ZipEntry[]> {
  const text = (name: string): Promise<string> => readFile(new URL(name, folder), 'utf8');
  const [verifier, collector, readme] = await Promise.all([
    text('verify-licence.ts'),
    text('collect-machine.ts'),
    text('README.txt'),
  ]);
  return [
    { name: 'verify-licence.mjs', content: [stripTypeScriptTypes(verifier)] },
    { name: 'collect-machine.mjs', content: [stripTypeScriptTypes(collector)] },
    { name: 'README.txt', content: [readme] },
  ];
}

/** The file of public keys that the verification programs read. */
export async function publicKeyFile(ctx: Ctx): Promise<string> {
  const { keys } = await publicKeys(ctx);
  const listed = keys.map(({ madeAt, retiredAt, ...key }) => ({
    ...key,
    madeAt: madeAt?.toISOString() ?? null,
    retiredAt: retiredAt?.toISOString() ?? null,
  }));
  return `${JSON.stringify({ keys: listed }, null, 2)}\n`;
}

export async function verifierKit(ctx: Ctx): Promise<FileAnswer> {
  programs ??= readPrograms();
  return {
    fileName: 'skytally-licence-verifier.zip',
    mediaType: 'application/zip',
    body: zipOf([...(await programs), { name: 'public-keys.json', content: [await publicKeyFile(ctx)] }]),
  };
}
