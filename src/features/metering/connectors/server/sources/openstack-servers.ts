// Reads servers from Nova (https://docs.openstack.org/api-ref/compute/). How long a server existed in a
// window is computed from its launch and termination times in os-simple-tenant-usage, which includes deleted
// servers. Its own `hours` are not used: they are floating-point, and Nova has counted the fraction of a
// second tenfold.
import * as z from 'zod/mini';
import { lifetimeIn, utcMoment } from '../../rules-lifetime.ts';
import type { Window } from '../../rules.ts';
import type { Reading } from '../source.ts';
import { allPages, answerAs, pathWith, type Cloud } from './keystone.ts';

/** With this version, usage is paged and servers embed their flavors. */
const version = { 'openstack-api-version': 'compute 2.47' };
const pageSize = '1000';

const Links = z.nullish(z.array(z.object({ rel: z.string() })));
export const hasNextLink = (links: z.output<typeof Links>): boolean =>
  links?.some(({ rel }) => rel === 'next') ?? false;
export { Links };

const Usage = z.object({
  instance_id: z.string(),
  name: z.nullish(z.string()),
  tenant_id: z.string(),
  flavor: z.nullish(z.string()),
  vcpus: z.nullish(z.number()),
  memory_mb: z.nullish(z.number()),
  local_gb: z.nullish(z.number()),
  started_at: z.nullish(z.string()),
  ended_at: z.nullish(z.string()),
  state: z.nullish(z.string()),
});
type Usage = z.output<typeof Usage>;
const UsagePage = z.object({
  tenant_usages: z.array(z.object({ server_usages: z.optional(z.array(Usage)) })),
  tenant_usages_links: Links,
});

/** A time in Nova's format: UTC, without a zone. */
const novaTime = (at: Date): string => at.toISOString().slice(0, 19);

/** Reads how long each server of all projects existed in a window. */
export async function readServers(cloud: Cloud, window: Window): Promise<Reading[]> {
  const usages = await allPages<Usage>(
    async (marker) => {
      const path = pathWith('/os-simple-tenant-usage', {
        detailed: '1',
        start: novaTime(window.start),
        end: novaTime(window.end),
        limit: pageSize,
        marker,
      });
      const page = answerAs(
        UsagePage,
        await cloud.ask('compute', path, { headers: version }),
        'usage of Nova',
      );
      return {
        items: page.tenant_usages.flatMap(({ server_usages }) => server_usages ?? []),
        hasNext: hasNextLink(page.tenant_usages_links),
      };
    },
    ({ instance_id }) => instance_id,
  );
  return usages.flatMap((usage): Reading[] => {
    const seconds = lifetimeIn(window, utcMoment(usage.started_at), utcMoment(usage.ended_at));
    return seconds === undefined
      ? []
      : [{ resource: usage.instance_id, window, fields: { ...fieldsOf(usage), seconds } }];
  });
}

const fieldsOf = (usage: Usage) => ({
  id: usage.instance_id,
  name: usage.name ?? '',
  project: usage.tenant_id,
  size: usage.flavor ?? '',
  vcpus: usage.vcpus ?? null,
  memoryMb: usage.memory_mb ?? null,
  diskGb: usage.local_gb ?? null,
  state: usage.state ?? '',
});

const Server = z.object({
  id: z.string(),
  name: z.nullish(z.string()),
  tenant_id: z.string(),
  status: z.string(),
  created: z.nullish(z.string()),
  'OS-SRV-USG:launched_at': z.nullish(z.string()),
  flavor: z.nullish(
    z.object({
      original_name: z.nullish(z.string()),
      vcpus: z.nullish(z.number()),
      ram: z.nullish(z.number()),
      disk: z.nullish(z.number()),
      ephemeral: z.nullish(z.number()),
    }),
  ),
});
const ServerPage = z.object({ servers: z.array(Server), servers_links: Links });

/** Lists the current servers of all projects. */
export async function listServers(cloud: Cloud): Promise<z.output<typeof Server>[]> {
  return allPages(
    async (marker) => {
      const path = pathWith('/servers/detail', { all_tenants: '1', limit: pageSize, marker });
      const page = answerAs(
        ServerPage,
        await cloud.ask('compute', path, { headers: version }),
        'servers of Nova',
      );
      return { items: page.servers, hasNext: hasNextLink(page.servers_links) };
    },
    ({ id }) => id,
  );
}
