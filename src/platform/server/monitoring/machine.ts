// Utilization of the machine: processor, memory and disk, with container limits taken into account.
import { readFileSync } from 'node:fs';
import { statfs, readFile } from 'node:fs/promises';
import { availableParallelism, cpus, freemem, totalmem } from 'node:os';

/** `percent` has one fraction digit. `used` and `total` are bytes for memory and disk, cores for the processor. */
export type Measure = { readonly percent: number; readonly used: number; readonly total: number };

const measure = (used: number, total: number): Measure => ({
  used,
  total,
  percent: total > 0 ? Math.round((1000 * used) / total) / 10 : 0,
});

/** Reads a number from a cgroup or kernel file; undefined where there is none ("max" means no limit). */
async function numberFrom(path: string, pattern: RegExp): Promise<number | undefined> {
  try {
    const found = pattern.exec(await readFile(path, 'utf8'))?.[1];
    return found === undefined ? undefined : Number(found);
  } catch {
    // Not Linux, or no cgroup: the caller has a fallback.
    return undefined;
  }
}

/** Memory: 1 − MemAvailable / MemTotal on Linux, or the cgroup's own figures when it has a limit. */
export async function memory(): Promise<Measure> {
  const limit = await numberFrom('/sys/fs/cgroup/memory.max', /^(\d+)/);
  const current = await numberFrom('/sys/fs/cgroup/memory.current', /^(\d+)/);
  if (limit !== undefined && current !== undefined && limit < totalmem()) {
    const cache = (await numberFrom('/sys/fs/cgroup/memory.stat', /^inactive_file (\d+)/m)) ?? 0;
    return measure(Math.max(0, current - cache), limit);
  }
  const availableKb = await numberFrom('/proc/meminfo', /^MemAvailable:\s+(\d+)/m);
  const total = totalmem();
  return measure(total - (availableKb === undefined ? freemem() : availableKb * 1024), total);
}

/** Disk usage of a folder's file system, as df counts it: used = blocks − free, total = used + available to us. */
export async function disk(folder: string): Promise<Measure> {
  const { blocks, bfree, bavail, bsize } = await statfs(folder);
  const used = (blocks - bfree) * bsize;
  return measure(used, used + bavail * bsize);
}

type Ticks = { busy: number; all: number };
function ticks(): Ticks {
  let busy = 0;
  let all = 0;
  for (const { times } of cpus()) {
    all += times.user + times.nice + times.sys + times.idle + times.irq;
    busy += times.user + times.nice + times.sys + times.irq;
  }
  return { busy, all };
}

/**
 * Parses a cgroup v2 `cpu.max` into a number of cores, such as "150000 100000" for one and a half; undefined
 * for no limit.
 */
export function coresOf(cpuMax: string): number | undefined {
  const found = /^(\d+) (\d+)/.exec(cpuMax);
  return found ? Number(found[1]) / Number(found[2]) : undefined;
}

/** The cgroup's limit and what its processes have used so far, in core seconds; undefined where nothing limits them. */
function limitedUse(): { cores: number; usedSeconds: number } | undefined {
  try {
    const cores = coresOf(readFileSync('/sys/fs/cgroup/cpu.max', 'utf8'));
    const used = /^usage_usec (\d+)/m.exec(readFileSync('/sys/fs/cgroup/cpu.stat', 'utf8'))?.[1];
    return cores === undefined || used === undefined || cores >= availableParallelism()
      ? undefined
      : { cores, usedSeconds: Number(used) / 1e6 };
  } catch {
    // Not Linux, or no cgroup: the whole machine is available.
    return undefined;
  }
}

/** Measures processor usage between one call and the next: of the whole machine, or of a container's share. */
export function cpuMeter(): () => Measure {
  let before = { ...ticks(), at: performance.now(), limited: limitedUse() };
  let last = measure(0, before.limited?.cores ?? availableParallelism());
  return () => {
    const now = { ...ticks(), at: performance.now(), limited: limitedUse() };
    const seconds = (now.at - before.at) / 1000;
    // Two calls within the same tick have no interval to measure, so the last figure is returned.
    if (now.all === before.all || seconds <= 0) return last;
    const used =
      now.limited && before.limited
        ? Math.min(now.limited.cores, (now.limited.usedSeconds - before.limited.usedSeconds) / seconds)
        : undefined;
    const cores = now.limited?.cores ?? availableParallelism();
    last = measure(used ?? ((now.busy - before.busy) / (now.all - before.all)) * cores, cores);
    before = now;
    return last;
  };
}
