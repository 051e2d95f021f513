// Packages of sdk/ as users get them: packed by npm, and installed into a separate folder.
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
// The npm that belongs to the current Node, if there is one.
const beside = join(dirname(process.execPath), 'npm');
const npm = existsSync(beside) ? beside : 'npm';

/** Packs the package in `source`, which npm builds first, and installs it into `folder` without a registry. */
export async function installPacked(source: string, folder: string): Promise<void> {
  const env = { ...process.env, npm_config_cache: join(folder, 'cache') };
  await run(npm, ['pack', '--pack-destination', folder], { cwd: source, env });
  const archive = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
  await run(npm, ['install', '--offline', '--no-audit', '--no-fund', join(folder, archive)], {
    cwd: folder,
    env,
  });
  rmSync(join(source, 'dist'), { recursive: true, force: true });
}
