// OpenStack: usage from Nova, Gnocchi or CloudKitty, and an inventory from Nova, Cinder and Neutron.
import type { OpenStackOptions } from '../../contract-sources.ts';
import type { Window } from '../../rules.ts';
import type { Reading, Source, SourceSettings } from '../source.ts';
import { signInToCloud } from './keystone.ts';
import { cloudInventory } from './openstack-inventory.ts';
import { readCloudKitty, readGnocchi } from './openstack-metrics.ts';
import { readServers } from './openstack-servers.ts';

async function read(
  settings: SourceSettings<OpenStackOptions>,
  window: Window,
  signal: AbortSignal,
): Promise<Reading[]> {
  const cloud = await signInToCloud(settings, signal);
  const { options } = settings;
  if (options.reads === 'gnocchi') return readGnocchi(cloud, options, window);
  return options.reads === 'cloudkitty' ? readCloudKitty(cloud, options, window) : readServers(cloud, window);
}

export const openStack: Source<OpenStackOptions> = {
  read,
  check: async (settings, window, signal) => `${(await read(settings, window, signal)).length}`,
  inventory: async (settings, signal) => {
    if (settings.options.inventory.length === 0) return undefined;
    return cloudInventory(await signInToCloud(settings, signal), settings.options.inventory);
  },
};
