// An inventory item whose fields an Admin has configured.
import type { ItemFields } from '../../contract-sources.ts';
import { fieldText } from '../../rules.ts';
import { utcMoment } from '../../rules-lifetime.ts';
import type { InventoryItem } from '../source.ts';

export function configuredItem(resource: string, item: unknown, names: ItemFields): InventoryItem {
  const text = (path: string): string => (path === '' ? '' : (fieldText(item, path) ?? ''));
  const since = text(names.since);
  return {
    resource,
    kind: 'other',
    name: text(names.name),
    project: text(names.project),
    size: text(names.size),
    since: /^\d{9,11}(\.\d+)?$/.test(since) ? new Date(Number(since) * 1000) : utcMoment(since),
    state: text(names.state),
    fields: item as InventoryItem['fields'],
  };
}
