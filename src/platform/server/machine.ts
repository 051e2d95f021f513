// How the machine is doing: processor, memory and disk, container limits respected.
import { statfs, readFile } from 'node:fs/promises';
import { availableParallelism, cpus, freemem, totalmem } from 'node:os';

/** `percent` has one fraction digit. For memory and disk `used` and `total` are bytes, for the processor cores. */
export type Measure = { readonly percent: number; readonly used: number; readonly total: number };

const measure = (used: number, total: number): Measure => ({ used, total, percent: total > 0 ? Math.round((1000 * used) / total) / 10 : 0 });

/** A number from a control group's or the kernel's file; undefined where there is none ("max" means no limit). */
async function numberFrom(path: string, pattern: RegExp): Promise<number | undefined> {
  try {
    const found = pattern.exec(await readFile(path, 'utf8'))?.[1];
    return found === undefined ? undefined : Number(found);
  } catch {
    // Another system or no control group: the caller has its own way there.
    return undefined;
  }
}

/** Memory: 1 − MemAvailable / MemTotal on Linux, or the control group's own figures when it has a limit. */
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

/** Disk of a folder, as df counts it: used = blocks − free, total = used + available to us. */
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

/** Measures the processor between one call and the next. */
export function cpuMeter(): () => Measure {
  let before = ticks();
  let last = measure(0, availableParallelism());
  return () => {
    const now = ticks();
    const cores = availableParallelism();
    // Two calls within the same tick have nothing between them: the last figure stays.
    if (now.all > before.all) last = measure(((now.busy - before.busy) / (now.all - before.all)) * cores, cores);
    before = now;
    return last;
  };
}
