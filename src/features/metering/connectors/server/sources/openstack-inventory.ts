// Lists what currently exists in an OpenStack cloud: servers of Nova, volumes of Cinder, floating IPs of
// Neutron, of all projects.
import * as z from 'zod/mini';
import type { OpenStackOptions } from '../../contract-sources.ts';
import { utcMoment } from '../../rules-lifetime.ts';
import type { InventoryItem } from '../source.ts';
import { allPages, answerAs, pathWith, type Cloud } from './keystone.ts';
import { hasNextLink, Links, listServers } from './openstack-servers.ts';

const pageSize = '1000';

type Found = Omit<InventoryItem, 'fields' | 'resource'> & { readonly id: string; readonly more?: object };
/** Names an item's fields like those of readings. */
const itemOf = ({ id, more, ...item }: Found): InventoryItem => ({
  ...item,
  resource: id,
  fields: {
    id,
    name: item.name,
    project: item.project,
    size: item.size,
    state: item.state,
    kind: item.kind,
    ...more,
  },
});

async function servers(cloud: Cloud): Promise<InventoryItem[]> {
  return (await listServers(cloud)).map((server) => {
    const { flavor } = server;
    return itemOf({
      id: server.id,
      kind: 'server',
      name: server.name ?? '',
      project: server.tenant_id,
      size: flavor?.original_name ?? '',
      since: utcMoment(server['OS-SRV-USG:launched_at'] ?? server.created),
      state: server.status,
      more: {
        vcpus: flavor?.vcpus ?? null,
        memoryMb: flavor?.ram ?? null,
        diskGb: flavor ? (flavor.disk ?? 0) + (flavor.ephemeral ?? 0) : null,
      },
    });
  });
}

const Volume = z.object({
  id: z.string(),
  name: z.nullish(z.string()),
  size: z.number(),
  status: z.string(),
  created_at: z.nullish(z.string()),
  volume_type: z.nullish(z.string()),
  'os-vol-tenant-attr:tenant_id': z.nullish(z.string()),
});
const VolumePage = z.object({ volumes: z.array(Volume), volumes_links: Links });

async function volumes(cloud: Cloud): Promise<InventoryItem[]> {
  const found = await allPages(
    async (marker) => {
      const path = pathWith('/volumes/detail', { all_tenants: '1', limit: pageSize, marker });
      const page = answerAs(VolumePage, await cloud.ask('volume', path), 'volumes of Cinder');
      return { items: page.volumes, hasNext: hasNextLink(page.volumes_links) };
    },
    ({ id }) => id,
  );
  return found.map((volume) =>
    itemOf({
      id: volume.id,
      kind: 'volume',
      name: volume.name ?? '',
      project: volume['os-vol-tenant-attr:tenant_id'] ?? '',
      size: String(volume.size),
      since: utcMoment(volume.created_at),
      state: volume.status,
      more: { volumeType: volume.volume_type ?? '', diskGb: volume.size },
    }),
  );
}

const FloatingIp = z.object({
  id: z.string(),
  floating_ip_address: z.string(),
  project_id: z.nullish(z.string()),
  tenant_id: z.nullish(z.string()),
  status: z.nullish(z.string()),
  created_at: z.nullish(z.string()),
});
const FloatingIpPage = z.object({ floatingips: z.array(FloatingIp), floatingips_links: Links });

async function floatingIps(cloud: Cloud): Promise<InventoryItem[]> {
  const found = await allPages(
    async (marker) => {
      const path = pathWith('/v2.0/floatingips', {
        limit: pageSize,
        sort_key: 'id',
        sort_dir: 'asc',
        marker,
      });
      const page = answerAs(FloatingIpPage, await cloud.ask('network', path), 'floating IPs of Neutron');
      return { items: page.floatingips, hasNext: hasNextLink(page.floatingips_links) };
    },
    ({ id }) => id,
  );
  return found.map((address) =>
    itemOf({
      id: address.id,
      kind: 'floating_ip',
      name: address.floating_ip_address,
      project: address.project_id ?? address.tenant_id ?? '',
      size: '',
      since: utcMoment(address.created_at),
      state: address.status ?? '',
    }),
  );
}

const lists = { server: servers, volume: volumes, floating_ip: floatingIps } as const;

/** Lists everything of the wanted kinds. */
export async function cloudInventory(
  cloud: Cloud,
  wanted: OpenStackOptions['inventory'],
): Promise<InventoryItem[]> {
  const items: InventoryItem[] = [];
  for (const kind of new Set(wanted)) items.push(...(await lists[kind](cloud)));
  return items;
}
