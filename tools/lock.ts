// Completes package-lock.json: adds every optional platform package, including those that the current
// registry lacks.
//   node tools/lock.ts
// Without this, `npm ci` fails wherever a registry lacks a package for some other platform ("Missing: … from
// lock file").
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

type Entry = {
  readonly version?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly engines?: unknown;
};
export type Lock = { packages: Record<string, Entry> };
export type Gap = { readonly owner: string; readonly name: string; readonly version: string };

/** The optional packages that installed packages request and the lock file lacks. */
export function missingOptionalPackages(lock: Lock): readonly Gap[] {
  return Object.entries(lock.packages)
    .filter(([owner]) => owner !== '')
    .flatMap(([owner, entry]) =>
      Object.entries(entry.optionalDependencies ?? {})
        .filter(
          ([name]) =>
            !(`node_modules/${name}` in lock.packages) && !(`${owner}/node_modules/${name}` in lock.packages),
        )
        .map(([name, version]) => ({ owner, name, version })),
    );
}

/** Adds an entry for each missing package, none of which Linux x64 or arm64 with glibc ever downloads. */
export function complete(lock: Lock): Lock {
  const packages = { ...lock.packages };
  for (const gap of missingOptionalPackages(lock))
    packages[`node_modules/${gap.name}`] = entryFor(gap, lock.packages[gap.owner]?.engines);
  // npm writes its entries in this order.
  return {
    ...lock,
    packages: Object.fromEntries(Object.entries(packages).toSorted(([a], [b]) => a.localeCompare(b, 'en'))),
  };
}

// The names of platform packages, such as …/binding-linux-x64-musl or …/darwin-arm64, tell their platform.
function entryFor({ name, version }: Gap, engines: unknown): Entry {
  const [os, cpu, abi] = name
    .slice(name.indexOf('/') + 1)
    .replace('binding-', '')
    .split('-');
  if (os === undefined || cpu === undefined || !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
    throw new Error(`${name}@${version} is no platform package: add it by hand`);
  const libc = os === 'linux' ? { libc: [abi?.startsWith('musl') === true ? 'musl' : 'glibc'] } : {};
  const entry = {
    version,
    cpu: [cpu],
    dev: true,
    ...libc,
    license: 'MIT',
    optional: true,
    os: [os],
    engines,
  };
  return entry;
}

if (import.meta.main) {
  const file = path.resolve(import.meta.dirname, '../package-lock.json');
  const lock: Lock = JSON.parse(readFileSync(file, 'utf8'));
  const gaps = missingOptionalPackages(lock);
  writeFileSync(file, `${JSON.stringify(complete(lock), null, 2)}\n`);
  process.stdout.write(`${gaps.length} entries added to package-lock.json\n`);
}
