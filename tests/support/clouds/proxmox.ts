// A simulated Proxmox VE cluster: its resources, and RRDs that keep finer averages for a shorter time.
import { listen } from './listen.ts';

export type FakeMachine = { id: string; node: string; name: string; pool: string; maxcpu: number };
/** A machine's load in one minute; undefined while it was off. */
export type Minute = { cpu: number; mem: number; netin: number; netout: number };

export async function startProxmox(): Promise<{
  readonly address: string;
  machines: FakeMachine[];
  /** The current minute, in seconds. */
  now: number;
  load: (id: string, time: number) => Minute | undefined;
  readonly asked: string[];
}> {
  const fake = {
    address: '',
    machines: [] as FakeMachine[],
    now: 0,
    load: (() => undefined) as (id: string, time: number) => Minute | undefined,
    asked: [] as string[],
  };
  fake.address = await listen(({ url, request }) => {
    fake.asked.push(`${url.pathname}${url.search}`);
    if (request.headers.authorization !== 'PVEAPIToken=billing@pve!skytally=11111111-2222')
      return { status: 401, body: '' };
    if (url.pathname === '/api2/json/cluster/resources')
      return {
        body: {
          data: fake.machines.map((machine) => ({
            ...machine,
            type: machine.id.split('/')[0],
            vmid: Number(machine.id.split('/')[1]),
            status: 'running',
            maxmem: 2147483648,
            maxdisk: 34359738368,
            template: 0,
            uptime: 600,
          })),
        },
      };
    const [, kind, vmid] = /\/(qemu|lxc)\/(\d+)\/rrddata/.exec(url.pathname) ?? [];
    const id = `${kind}/${vmid}`;
    const machine = fake.machines.find((each) => each.id === id);
    if (!machine) return { status: 500, body: { data: null } };
    const [step, points] = url.searchParams.get('timeframe') === 'hour' ? [60, 70] : [1800, 70];
    const last = Math.floor(fake.now / step) * step;
    return {
      body: {
        data: Array.from({ length: points }, (_, place) => {
          const time = last - (points - place) * step;
          const minutes = Array.from({ length: step / 60 }, (_each, minute) =>
            fake.load(id, time + minute * 60),
          );
          const samples = minutes.flatMap((each) => each ?? []);
          if (samples.length === 0) return { time };
          const mean = (key: keyof Minute): number =>
            samples.reduce((sum, each) => sum + each[key], 0) / samples.length;
          return {
            time,
            cpu: mean('cpu'),
            maxcpu: machine.maxcpu,
            mem: mean('mem'),
            maxmem: 2147483648,
            netin: mean('netin'),
            netout: mean('netout'),
            diskread: 0,
            diskwrite: 0,
          };
        }),
      },
    };
  });
  return fake;
}
