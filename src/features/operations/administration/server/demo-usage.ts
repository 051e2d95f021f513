// Usage of the demo data's own services: always the same events, so that an import can be repeated.
import type { Id } from '#kernel/ids.ts';
import { dayMs, hourMs } from '#kernel/durations.ts';
import type { DemoServiceKey } from './demo-services.ts';

/** A customer of the demo's file who also uses the demo's own services; `scale` multiplies the usage. */
export type DemoCustomer = {
  readonly externalRef: string;
  readonly scale: number;
  /** On which day of the first month each subscription begins, and its quantities by charge. */
  readonly services: Readonly<
    Partial<
      Record<DemoServiceKey, { readonly day: number; readonly quantities?: Readonly<Record<string, string>> }>
    >
  >;
};
export const demoCustomers: readonly DemoCustomer[] = [
  {
    externalRef: 'focus:AWS:11353890204',
    scale: 3,
    services: {
      servers: { day: 1, quantities: { address: '3', backup: '2' } },
      storage: { day: 1 },
      payments: { day: 1, quantities: { seats: '8' } },
    },
  },
  {
    externalRef: 'focus:AWS:85742851457',
    scale: 2,
    services: { servers: { day: 10, quantities: { address: '1', backup: '1' } }, storage: { day: 4 } },
  },
  {
    externalRef: 'focus:AWS:69918885631',
    scale: 1,
    services: { storage: { day: 1 }, payments: { day: 15, quantities: { seats: '3' } } },
  },
];

export type DemoEvent = {
  readonly id: string;
  readonly type: string;
  readonly time: Date;
  readonly value: string;
  readonly properties: Readonly<Record<string, string>> | null;
};

/** A number from 0 to 1 derived from a text, evenly distributed: FNV-1a, 32 bits. */
function spread(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return (hash >>> 0) / 2 ** 32;
}

/** The events of a subscription from its start until a moment. */
export function demoEvents(
  service: DemoServiceKey,
  subscriptionId: Id<'sub'>,
  scale: number,
  from: Date,
  until: Date,
): DemoEvent[] {
  const events: DemoEvent[] = [];
  const add = (type: string, at: number, value: string, properties: DemoEvent['properties'] = null): void => {
    if (at < from.getTime() || at >= until.getTime()) return;
    const time = new Date(at);
    const id = [type, subscriptionId, time.toISOString(), ...Object.values(properties ?? {})].join(' ');
    events.push({ id, type: `demo.${type}`, time, value, properties });
  };
  const start = Math.ceil(from.getTime() / dayMs) * dayMs;
  for (let day = 0, at = start; at < until.getTime(); day++, at += dayMs)
    eventsOfDay[service]({ day, at, scale, add, weekday: new Date(at).getUTCDay() });
  return events;
}

type Day = {
  readonly day: number;
  readonly at: number;
  readonly scale: number;
  /** Sunday is 0. */
  readonly weekday: number;
  readonly add: (type: string, at: number, value: string, properties?: DemoEvent['properties']) => void;
};
const isBusy = ({ weekday }: Day): boolean => weekday > 0 && weekday < 6;

const eventsOfDay: Record<DemoServiceKey, (day: Day) => void> = {
  servers: (each) => {
    const { day, at, scale, add } = each;
    const night = at + 23 * hourMs;
    // Large machines run on weekdays, the others always.
    if (isBusy(each)) add('server', night, String(10 * scale), { size: 'l', region: 'taipei' });
    if (isBusy(each) && scale > 2) add('server', night, '12', { size: 'l', region: 'tokyo' });
    add('server', night, String(24 * scale), { size: 'm', region: 'taipei' });
    add('server', night, '24', { size: 's', region: 'tokyo' });
    if (day % 7 === 0) add('disk', at + hourMs, String(120 * scale + day * 2));
    for (let hour = 0; hour < 24; hour += 2) {
      const sine = 1 + Math.sin(((hour - 8) / 24) * 2 * Math.PI);
      const load = Math.round((12 + 22 * sine + 20 * spread(`traffic ${at} ${hour}`)) * scale);
      add('traffic', at + hour * hourMs, String(load));
    }
  },
  storage: ({ day, at, scale, add }) => {
    if (day % 3 === 0) {
      add('storage', at + 2 * hourMs, String(400 * scale + day * 6), { class: 'standard' });
      add('storage', at + 2 * hourMs, String(900 * scale + day * 15), { class: 'archive' });
    }
    add(
      'request',
      at + 20 * hourMs,
      String(Math.round(9000 * scale * (0.7 + 0.6 * spread(`request ${at}`)))),
    );
    add('download', at + 21 * hourMs, String(Math.round(14 * scale * (0.6 + spread(`near ${at}`)))), {
      region: 'taipei',
    });
    add('download', at + 21 * hourMs, String(Math.round(5 * scale * (0.6 + spread(`far ${at}`)))), {
      region: 'singapore',
    });
  },
  payments: (each) => {
    const { at, scale, add } = each;
    const sales = isBusy(each) ? 2 * scale : scale;
    for (let sale = 0; sale < sales; sale++) {
      const cents = Math.round(800 + 26_000 * spread(`sale ${at} ${sale}`) ** 3);
      add('sale', at + (9 + sale) * hourMs, (cents / 100).toFixed(2));
    }
  },
};
