// The fields of the connector form for its source's options, as text, and their conversion to what the server
// accepts.
import * as z from 'zod/mini';
import {
  openStackInterfaces,
  openStackItems,
  openStackReads,
  pagings,
  sourceKinds,
  type ItemFields,
  type Options,
} from '../contract-sources.ts';

const free = z.string().check(z.trim());
const smallNumber = /^[1-9]\d{0,3}$/;
export const itemFieldNames = ['name', 'project', 'size', 'since', 'state'] as const;

export const optionFields = z.strictObject({
  kind: z.enum(sourceKinds),
  mode: z.enum(['counter', 'gauge']),
  query: free,
  resourceLabels: free,
  items: free,
  resourceFields: free,
  timeField: free,
  paging: z.strictObject({ kind: z.enum(pagings), parameter: free, cursorField: free }),
  region: free,
  interface: z.enum(openStackInterfaces),
  reads: z.enum(openStackReads),
  metric: free,
  resourceType: free,
  aggregation: free,
  granularitySeconds: z.string().check(
    z.trim(),
    z.refine((typed) => smallNumber.test(typed) && Number(typed) <= 3600, 'connectors.granularity_wrong'),
  ),
  aggregate: free,
  wanted: z.strictObject({ server: z.boolean(), volume: z.boolean(), floating_ip: z.boolean() }),
  /** For Prometheus and HTTP APIs; empty if they have no inventory. */
  inventory: z.strictObject({
    query: free,
    address: free,
    items: free,
    fields: z.strictObject({ name: free, project: free, size: free, since: free, state: free }),
  }),
});
export type OptionFields = z.output<typeof optionFields>;

type Needed =
  | 'query'
  | 'resourceLabels'
  | 'resourceFields'
  | 'metric'
  | 'resourceType'
  | 'aggregation'
  | 'aggregate';
/** The required fields. */
export function neededOptions({ kind, reads }: OptionFields): readonly Needed[] {
  if (kind === 'prometheus') return ['query', 'resourceLabels'];
  if (kind === 'http_json') return ['resourceFields'];
  if (kind === 'opencost') return ['aggregate'];
  if (kind !== 'openstack' || reads === 'servers') return [];
  return reads === 'gnocchi' ? ['metric', 'resourceType', 'aggregation'] : ['metric'];
}

const noFields: ItemFields = { name: '', project: '', size: '', since: '', state: '' };

/** The initial values of the form. */
export function optionFieldsOf(options: Options | undefined): OptionFields {
  const http = options?.kind === 'http_json' ? options : undefined;
  const prometheus = options?.kind === 'prometheus' ? options : undefined;
  const cloud = options?.kind === 'openstack' ? options : undefined;
  const wanted = new Set(cloud?.inventory ?? ['server']);
  return {
    kind: options?.kind ?? 'prometheus',
    mode: prometheus?.mode ?? 'counter',
    query: prometheus?.query ?? '',
    resourceLabels: prometheus?.resourceLabels.join(', ') ?? '',
    items: http?.items ?? '',
    resourceFields: http?.resourceFields.join(', ') ?? '',
    timeField: http?.timeField ?? '',
    paging: {
      kind: http?.paging.kind ?? 'none',
      parameter: http?.paging.parameter ?? '',
      cursorField: http?.paging.cursorField ?? '',
    },
    region: cloud?.region ?? '',
    interface: cloud?.interface ?? 'public',
    reads: cloud?.reads ?? 'servers',
    metric: cloud?.metric ?? '',
    resourceType: cloud?.resourceType ?? '',
    aggregation: cloud?.aggregation ?? '',
    granularitySeconds: String(cloud?.granularitySeconds ?? 300),
    aggregate: options?.kind === 'opencost' ? options.aggregate : 'namespace',
    wanted: {
      server: wanted.has('server'),
      volume: wanted.has('volume'),
      floating_ip: wanted.has('floating_ip'),
    },
    inventory: {
      query: prometheus?.inventory?.query ?? '',
      address: http?.inventory?.address ?? '',
      items: http?.inventory?.items ?? '',
      fields: { ...noFields, ...(prometheus?.inventory ?? http?.inventory)?.fields },
    },
  };
}

const listOf = (typed: string): string[] =>
  typed
    .split(/[,，]/)
    .map((each) => each.trim())
    .filter((each) => each !== '');

/** The options as the server accepts them. */
export function optionsOf(options: OptionFields): Options {
  const { kind, inventory } = options;
  switch (kind) {
    case 'prometheus':
      return {
        kind,
        mode: options.mode,
        query: options.query,
        resourceLabels: listOf(options.resourceLabels),
        ...(inventory.query !== '' && {
          inventory: { query: inventory.query, fields: inventory.fields },
        }),
      };
    case 'http_json':
      return {
        kind,
        items: options.items,
        resourceFields: listOf(options.resourceFields),
        timeField: options.timeField,
        paging: { ...options.paging, first: 1 },
        ...(inventory.address !== '' && {
          inventory: {
            address: inventory.address,
            items: inventory.items,
            fields: inventory.fields,
          },
        }),
      };
    case 'openstack':
      return {
        kind,
        region: options.region,
        interface: options.interface,
        reads: options.reads,
        metric: options.reads === 'servers' ? '' : options.metric,
        resourceType: options.reads === 'gnocchi' ? options.resourceType : '',
        aggregation: options.reads === 'gnocchi' ? options.aggregation : '',
        granularitySeconds: Number(options.granularitySeconds),
        inventory: openStackItems.filter((each) => options.wanted[each]),
      };
    case 'proxmox':
      return { kind };
    case 'opencost':
      return { kind, aggregate: options.aggregate };
  }
}
