// The sources of connectors: what each kind is asked, with which credentials, and why one fails.
import * as z from 'zod/mini';
import { text } from '#kernel/shape.ts';

/** The kinds of sources. */
export const sourceKinds = ['prometheus', 'http_json', 'openstack', 'proxmox', 'opencost'] as const;
export const fieldPath = text(200);
const perhapsPath = z.union([z.literal(''), fieldPath]);

/** The fields of an item that say what reconciliation shows and compares; '' for what the source does not say. */
const ItemFields = z.strictObject({
  name: perhapsPath,
  project: perhapsPath,
  size: perhapsPath,
  since: perhapsPath,
  state: perhapsPath,
});
export type ItemFields = z.output<typeof ItemFields>;

/** What a Prometheus is asked. */
const PrometheusOptions = z.strictObject({
  kind: z.literal('prometheus'),
  /** `counter`: how much a counter rose in the window, over its resets. `gauge`: a value over time, in value-seconds. */
  mode: z.enum(['counter', 'gauge']),
  query: text(4000),
  /** Labels that together name a resource. */
  resourceLabels: z.array(text(200)).check(z.minLength(1), z.maxLength(10)),
  /** What exists now: an instant query whose series are the resources. */
  inventory: z.optional(z.strictObject({ query: text(4000), fields: ItemFields })),
});
export type PrometheusOptions = z.output<typeof PrometheusOptions>;

export const pagings = ['none', 'page', 'offset', 'cursor', 'link'] as const;
/** What an HTTP API is asked; the address may hold {start} and {end} (RFC 3339), {startUnix} and {endUnix} (seconds). */
const HttpOptions = z.strictObject({
  kind: z.literal('http_json'),
  /** The path of the list in an answer; '' when the answer is the list. */
  items: z.union([z.literal(''), fieldPath]),
  /** Fields of an item that together name its resource. */
  resourceFields: z.array(fieldPath).check(z.minLength(1), z.maxLength(10)),
  /** The field with the moment that an item is of; '' when an item is of the whole window. */
  timeField: z.union([z.literal(''), fieldPath]),
  paging: z.strictObject({
    kind: z.enum(pagings),
    /** The query parameter of the page's number, offset or cursor. */
    parameter: z.union([z.literal(''), text(100)]),
    /** The number of the first page: 0 or 1. */
    first: z.int().check(z.minimum(0), z.maximum(1)),
    /** The path of the next cursor in an answer. */
    cursorField: z.union([z.literal(''), fieldPath]),
  }),
  /** What exists now: an address of the same server, paged like the usage, and the path of its list. */
  inventory: z.optional(z.strictObject({ address: text(2000), items: perhapsPath, fields: ItemFields })),
});
export type HttpOptions = z.output<typeof HttpOptions>;

export const openStackReads = ['servers', 'gnocchi', 'cloudkitty'] as const;
export const openStackInterfaces = ['public', 'internal', 'admin'] as const;
/** What reconciliation compares. */
export const itemKinds = ['server', 'volume', 'floating_ip', 'other'] as const;
export type ItemKind = (typeof itemKinds)[number];
export const openStackItems = ['server', 'volume', 'floating_ip'] as const;
/** What an OpenStack is asked; its services are found in the catalogue of Keystone, whose address the connector has. */
const OpenStackOptions = z.strictObject({
  kind: z.literal('openstack'),
  /** '' for the only region. */
  region: z.union([z.literal(''), text(100)]),
  interface: z.enum(openStackInterfaces),
  /** `servers`: how long each server was there, by Nova. `gnocchi`: measures of a metric. `cloudkitty`: its dataframes of a metric. */
  reads: z.enum(openStackReads),
  /** The metric of Gnocchi or CloudKitty; '' for servers. */
  metric: z.union([z.literal(''), text(200)]),
  /** Gnocchi's type of resources, such as `instance`. */
  resourceType: z.union([z.literal(''), z.string().check(z.regex(/^[A-Za-z0-9_-]{1,100}$/))]),
  /** Gnocchi's aggregation, such as `mean` or `rate:mean`. */
  aggregation: z.union([z.literal(''), z.string().check(z.regex(/^[A-Za-z0-9:_-]{1,100}$/))]),
  /** The length of Gnocchi's measures in seconds; it divides the windows. */
  granularitySeconds: z.int().check(z.minimum(1), z.maximum(3600)),
  /** What reconciliation compares with the readings. */
  inventory: z.array(z.enum(openStackItems)).check(z.maxLength(openStackItems.length)),
});
export type OpenStackOptions = z.output<typeof OpenStackOptions>;

/** A Proxmox VE cluster is asked for its machines and containers and for the averages that it keeps of each. */
const ProxmoxOptions = z.strictObject({ kind: z.literal('proxmox') });
export type ProxmoxOptions = z.output<typeof ProxmoxOptions>;

/** What OpenCost is asked: allocations by something such as `namespace` or `label:team`. */
const OpenCostOptions = z.strictObject({
  kind: z.literal('opencost'),
  aggregate: z.string().check(z.regex(/^[A-Za-z0-9_:./,-]{1,200}$/)),
});
export type OpenCostOptions = z.output<typeof OpenCostOptions>;

export const Options = z.discriminatedUnion('kind', [
  PrometheusOptions,
  HttpOptions,
  OpenStackOptions,
  ProxmoxOptions,
  OpenCostOptions,
]);
export type Options = z.output<typeof Options>;

export const credentialKinds = [
  'none',
  'bearer',
  'basic',
  'header',
  'keystone_password',
  'keystone_application',
  'proxmox_token',
] as const;
const secret = z.string().check(z.minLength(1), z.maxLength(4000), z.regex(/^[\x20-\x7e]+$/));
/** How the console shows who it is. They are sealed and never answered. */
export const Credentials = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('none') }),
  z.strictObject({ kind: z.literal('bearer'), token: secret }),
  z.strictObject({ kind: z.literal('basic'), user: secret, password: secret }),
  z.strictObject({
    kind: z.literal('header'),
    name: z.string().check(z.regex(/^[A-Za-z0-9-]{1,100}$/)),
    value: secret,
  }),
  /** A user of Keystone and the project to sign in to; domains are names. */
  z.strictObject({
    kind: z.literal('keystone_password'),
    user: secret,
    userDomain: secret,
    password: secret,
    project: secret,
    projectDomain: secret,
  }),
  z.strictObject({ kind: z.literal('keystone_application'), applicationId: secret, secret }),
  /** Such as `billing@pve!skytally` and its UUID. */
  z.strictObject({ kind: z.literal('proxmox_token'), tokenId: secret, secret }),
]);
export type Credentials = z.output<typeof Credentials>;

/** Why a pull failed. `refused`: the source said no; `bad_answer`: it answered something that cannot be read. */
export const failures = [
  'address',
  'unreachable',
  'certificate',
  'timeout',
  'too_large',
  'busy',
  'status',
  'refused_credentials',
  'refused_query',
  'bad_answer',
  'no_endpoint',
  'same_resource_twice',
  'too_many_readings',
  'mapping_too_slow',
  'clock_behind',
] as const;
export type FailureCode = (typeof failures)[number];
export const Failure = z.strictObject({ code: z.enum(failures), detail: z.string() });
