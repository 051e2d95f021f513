// Proxmox VE: machines and containers of a cluster (https://pve.proxmox.com/pve-docs/api-viewer/), each with
// the averages of its RRD. Deleted machines appear in neither, so the last, incomplete window of a deleted
// machine is not read.
import pLimit from 'p-limit';
import * as z from 'zod/mini';
import type { ProxmoxOptions } from '../../contract-sources.ts';
import { fieldAt, type Window } from '../../rules.ts';
import { totalsOf, type Average } from '../../rules-averages.ts';
import { askSource } from '../ask-source.ts';
import {
  SourceFailure,
  type InventoryItem,
  type Reading,
  type Source,
  type SourceSettings,
} from '../source.ts';

type Settings = SourceSettings<ProxmoxOptions>;

const atOnce = 8;
/** From the finest, which reaches back an hour, to the coarsest. */
const frames = ['hour', 'day', 'week', 'month', 'year'] as const;

const flag = z.nullish(z.union([z.number(), z.boolean(), z.string()]));
const Machine = z.object({
  id: z.string(),
  type: z.enum(['qemu', 'lxc']),
  vmid: z.union([z.number(), z.string()]),
  node: z.string(),
  name: z.nullish(z.string()),
  status: z.nullish(z.string()),
  pool: z.nullish(z.string()),
  tags: z.nullish(z.string()),
  maxcpu: z.nullish(z.number()),
  maxmem: z.nullish(z.number()),
  maxdisk: z.nullish(z.number()),
  template: flag,
});
type Machine = z.output<typeof Machine>;
const number = z.nullish(z.union([z.number(), z.string()]));
const Point = z.object({
  time: z.number(),
  cpu: number,
  maxcpu: number,
  mem: number,
  netin: number,
  netout: number,
  diskread: number,
  diskwrite: number,
});
type Point = z.output<typeof Point>;

async function ask<T extends z.core.$ZodType>(
  settings: Settings,
  path: string,
  form: T,
  signal: AbortSignal,
): Promise<z.output<T>> {
  const address = settings.address.replace(/\/+$/, '').replace(/\/api2\/json$/, '');
  const { status, value } = await askSource(`${address}/api2/json${path}`, settings, signal);
  if (status !== 200) throw new SourceFailure('refused_query', JSON.stringify(value));
  const read = z.safeParse(form, fieldAt(value, 'data'));
  if (!read.success) throw new SourceFailure('bad_answer', `no answer of Proxmox at ${path}`);
  return read.data;
}

async function machinesOf(settings: Settings, signal: AbortSignal): Promise<Machine[]> {
  const machines = await ask(settings, '/cluster/resources?type=vm', z.array(Machine), signal);
  return machines.filter(({ template }) => !Number(template ?? 0));
}

const sizeOf = ({ maxcpu, maxmem }: Machine): string =>
  `${maxcpu ?? 0} CPU / ${Math.round((maxmem ?? 0) / 1024 ** 2)} MiB`;

const fieldsOf = (machine: Machine) => ({
  id: machine.id,
  type: machine.type,
  vmid: String(machine.vmid),
  name: machine.name ?? '',
  node: machine.node,
  project: machine.pool ?? '',
  tags: machine.tags ?? '',
  size: sizeOf(machine),
  state: machine.status ?? '',
  vcpus: machine.maxcpu ?? null,
  memoryBytes: machine.maxmem ?? null,
  diskBytes: machine.maxdisk ?? null,
});

/**
 * Returns the finest averages that reach back to the start of a window; `from` is the time frame that worked
 * for the previous machine.
 */
async function pointsOf(
  settings: Settings,
  { node, type, vmid }: Machine,
  window: Window,
  from: number,
  signal: AbortSignal,
): Promise<{ readonly points: readonly Point[]; readonly frame: number }> {
  const path = `/nodes/${encodeURIComponent(node)}/${type}/${encodeURIComponent(String(vmid))}/rrddata`;
  let points: readonly Point[] = [];
  for (let frame = from; frame < frames.length; frame++) {
    const asked = `${path}?timeframe=${frames[frame] ?? 'year'}&cf=AVERAGE`;
    points = (await ask(settings, asked, z.array(Point), signal)).toSorted((a, b) => a.time - b.time);
    const [first] = points;
    if (first && first.time * 1000 <= window.start.getTime()) return { points, frame };
  }
  return { points, frame: frames.length - 1 };
}

/** The totals of a window. A machine that is off has no CPU load: its RRD has no values for that time. */
function sumsOf(points: readonly Point[], window: Window): Readonly<Record<string, string>> | undefined {
  const steps = points.slice(1).map(({ time }, place) => time - (points[place]?.time ?? time));
  const step = Math.min(...steps.filter((each) => each > 0));
  if (!Number.isFinite(step)) return undefined;
  const total = (valueOf: (point: Point) => unknown) =>
    totalsOf(
      points.map((point): Average => ({ atMs: point.time * 1000, seconds: step, value: valueOf(point) })),
      window,
    );
  const running = total(({ cpu }) => cpu);
  if (!running) return undefined;
  const rate = (key: 'netin' | 'netout' | 'diskread' | 'diskwrite' | 'mem'): string =>
    total((point) => point[key])?.valueSeconds ?? '0';
  return {
    runningSeconds: running.seconds,
    cpuCoreSeconds: total(({ cpu, maxcpu }) => coresOf(cpu, maxcpu))?.valueSeconds ?? '0',
    memoryByteSeconds: rate('mem'),
    netInBytes: rate('netin'),
    netOutBytes: rate('netout'),
    diskReadBytes: rate('diskread'),
    diskWriteBytes: rate('diskwrite'),
  };
}

/** Cores in use: the load is a share of all cores. */
function coresOf(cpu: Point['cpu'], maxcpu: Point['maxcpu']): number | undefined {
  const cores = Number(cpu ?? Number.NaN) * Number(maxcpu ?? Number.NaN);
  return Number.isFinite(cores) ? cores : undefined;
}

async function read(settings: Settings, window: Window, signal: AbortSignal): Promise<Reading[]> {
  const machines = await machinesOf(settings, signal);
  const limit = pLimit(atOnce);
  let frame = 0;
  const readings = await Promise.all(
    machines.map((machine) =>
      limit(async (): Promise<Reading[]> => {
        const found = await pointsOf(settings, machine, window, frame, signal);
        frame = found.frame;
        const sums = sumsOf(found.points, window);
        return sums ? [{ resource: machine.id, window, fields: { ...fieldsOf(machine), ...sums } }] : [];
      }),
    ),
  );
  return readings.flat();
}

export const proxmox: Source<ProxmoxOptions> = {
  read,
  check: async (settings, window, signal) => `${(await read(settings, window, signal)).length}`,
  inventory: async (settings, signal) =>
    (await machinesOf(settings, signal)).map((machine): InventoryItem => ({
      resource: machine.id,
      kind: 'server',
      name: machine.name ?? '',
      project: machine.pool ?? '',
      size: sizeOf(machine),
      since: null,
      state: machine.status ?? '',
      fields: fieldsOf(machine),
    })),
};
