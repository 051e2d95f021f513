// The sources of connectors: how each kind is queried, with which credentials, and why it can fail.
import * as z from 'zod/mini';
import { text } from '#kernel/shape.ts';

/** The kinds of sources. */
export const sourceKinds = ['prometheus', 'http_json', 'openstack', 'proxmox', 'opencost'] as const;
export const fieldPath = text(200);
const perhapsPath = z.union([z.literal(''), fieldPath]);

/** The fields of an item that reconciliation shows and compares; '' for those the source does not provide. */
const ItemFields = z.strictObject({
  name: perhapsPath,
  project: perhapsPath,
  size: perhapsPath,
  since: perhapsPath,
  state: perhapsPath,
});
export type ItemFields = z.output<typeof ItemFields>;

/** How a Prometheus server is queried. */
const PrometheusOptions = z.strictObject({
  kind: z.literal('prometheus'),
  /**
   * `counter`: how much a counter rose in the window, across its resets. `gauge`: a value over time, in
   * value-seconds.
   */
  mode: z.enum(['counter', 'gauge']),
  query: text(4000),
  /** The labels that together identify a resource. */
  resourceLabels: z.array(text(200)).check(z.minLength(1), z.maxLength(10)),
  /** What currently exists: an instant query whose series are the resources. */
  inventory: z.optional(z.strictObject({ query: text(4000), fields: ItemFields })),
});
export type PrometheusOptions = z.output<typeof PrometheusOptions>;

export const pagings = ['none', 'page', 'offset', 'cursor', 'link'] as const;
/**
 * How an HTTP API is queried; the address may contain {start} and {end} (RFC 3339), {startUnix} and {endUnix}
 * (seconds).
 */
const HttpOptions = z.strictObject({
  kind: z.literal('http_json'),
  /** The path of the list in a response; '' if the response is the list. */
  items: z.union([z.literal(''), fieldPath]),
  /** The fields of an item that together identify its resource. */
  resourceFields: z.array(fieldPath).check(z.minLength(1), z.maxLength(10)),
  /** The field with an item's time; '' if an item covers the whole window. */
  timeField: z.union([z.literal(''), fieldPath]),
  paging: z.strictObject({
    kind: z.enum(pagings),
    /** The query parameter for the page number, offset or cursor. */
    parameter: z.union([z.literal(''), text(100)]),
    /** The number of the first page: 0 or 1. */
    first: z.int().check(z.minimum(0), z.maximum(1)),
    /** The path of the next cursor in a response. */
    cursorField: z.union([z.literal(''), fieldPath]),
  }),
  /** What currently exists: an address on the same server, paged like the usage, and the path of its list. */
  inventory: z.optional(z.strictObject({ address: text(2000), items: perhapsPath, fields: ItemFields })),
});
export type HttpOptions = z.output<typeof HttpOptions>;

export const openStackReads = ['servers', 'gnocchi', 'cloudkitty'] as const;
export const openStackInterfaces = ['public', 'internal', 'admin'] as const;
/** The kinds of items that reconciliation compares. */
export const itemKinds = ['server', 'volume', 'floating_ip', 'other'] as const;
export type ItemKind = (typeof itemKinds)[number];
export const openStackItems = ['server', 'volume', 'floating_ip'] as const;
/**
 * How an OpenStack cloud is queried; its services are looked up in the catalogue of Keystone, whose address
 * is the connector's.
 */
const OpenStackOptions = z.strictObject({
  kind: z.literal('openstack'),
  /** '' if there is only one region. */
  region: z.union([z.literal(''), text(100)]),
  interface: z.enum(openStackInterfaces),
  /**
   * `servers`: how long each server existed, from Nova. `gnocchi`: measures of a metric. `cloudkitty`:
   * dataframes of a metric.
   */
  reads: z.enum(openStackReads),
  /** The metric in Gnocchi or CloudKitty; '' for servers. */
  metric: z.union([z.literal(''), text(200)]),
  /** Gnocchi's resource type, such as `instance`. */
  resourceType: z.union([z.literal(''), z.string().check(z.regex(/^[A-Za-z0-9_-]{1,100}$/))]),
  /** Gnocchi's aggregation, such as `mean` or `rate:mean`. */
  aggregation: z.union([z.literal(''), z.string().check(z.regex(/^[A-Za-z0-9:_-]{1,100}$/))]),
  /** The granularity of Gnocchi's measures in seconds; it divides the window length. */
  granularitySeconds: z.int().check(z.minimum(1), z.maximum(3600)),
  /** The items that reconciliation compares with the readings. */
  inventory: z.array(z.enum(openStackItems)).check(z.maxLength(openStackItems.length)),
});
export type OpenStackOptions = z.output<typeof OpenStackOptions>;

/** A Proxmox VE cluster is queried for its machines and containers, and for the averages it keeps of each. */
const ProxmoxOptions = z.strictObject({ kind: z.literal('proxmox') });
export type ProxmoxOptions = z.output<typeof ProxmoxOptions>;

/** How OpenCost is queried: allocations by, for example, `namespace` or `label:team`. */
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
/** How the console authenticates. Credentials are sealed and never returned. */
export const Credentials = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('none') }),
  z.strictObject({ kind: z.literal('bearer'), token: secret }),
  z.strictObject({ kind: z.literal('basic'), user: secret, password: secret }),
  z.strictObject({
    kind: z.literal('header'),
    name: z.string().check(z.regex(/^[A-Za-z0-9-]{1,100}$/)),
    value: secret,
  }),
  /** A Keystone user and the project to sign in to; domains are names. */
  z.strictObject({
    kind: z.literal('keystone_password'),
    user: secret,
    userDomain: secret,
    password: secret,
    project: secret,
    projectDomain: secret,
  }),
  z.strictObject({ kind: z.literal('keystone_application'), applicationId: secret, secret }),
  /** For example `billing@pve!skytally` and its UUID. */
  z.strictObject({ kind: z.literal('proxmox_token'), tokenId: secret, secret }),
]);
export type Credentials = z.output<typeof Credentials>;

/**
 * Why a pull failed. `refused`: the source rejected the request; `bad_answer`: its response cannot be read.
 */
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
