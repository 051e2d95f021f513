// What connectors provide to reconciliation: what exists at their sources, who owns it, and what was read of
// it.
import type { Id } from '#kernel/ids.ts';
import type { App, Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import type { FailureCode, ItemKind, Options } from '../contract-sources.ts';
import { dimensionOf, fieldText, ownerOf, quantityOf } from '../rules.ts';
import { settingsOf } from './credentials.ts';
import { evaluateMapping } from './evaluate.ts';
import { readInventory } from './open-source.ts';
import type { MadeEvent } from './record-readings.ts';
import { SourceFailure, type InventoryItem } from './source.ts';
import { askPull, connectorFigures, type ConnectorRow } from './store.ts';
import { assign, assignmentsOf, noteResources } from './store-resources.ts';

/** A connector with the fields that reconciliation needs. */
export type ReconciledConnector = Pick<
  ConnectorRow,
  'id' | 'name' | 'address' | 'options' | 'mapping' | 'windowSeconds' | 'isPaused'
>;
export type Inventory =
  | { readonly connector: ReconciledConnector; readonly items: readonly InventoryItem[] }
  | {
      readonly connector: ReconciledConnector;
      readonly failure: { readonly code: FailureCode; readonly detail: string };
    };

/** Whether a source is configured to list what exists. */
const hasInventory = (options: Options): boolean => {
  if (options.kind === 'openstack') return options.inventory.length > 0;
  return options.kind === 'proxmox' || ('inventory' in options && options.inventory !== undefined);
};

/** Returns the kinds of items in an inventory. */
export const kindsOf = (options: Options): ItemKind[] => {
  if (options.kind === 'openstack') return [...options.inventory];
  return options.kind === 'proxmox' ? ['server'] : ['other'];
};

/** Returns all connectors; marks those with an inventory. */
export async function reconciledConnectors(
  ctx: Pick<Ctx, 'db'>,
): Promise<readonly (ReconciledConnector & { readonly hasInventory: boolean })[]> {
  return (await connectorFigures(ctx)).map((row) => ({ ...row, hasInventory: hasInventory(row.options) }));
}

/**
 * Returns what currently exists at a connector's source; undefined if the connector no longer exists. Must
 * run outside a transaction.
 */
export async function takeInventory(
  app: App,
  connectorId: Id<'con'>,
  signal: AbortSignal,
): Promise<Inventory | undefined> {
  const rows = await unitOfWork(
    app,
    { actor: { kind: 'system', name: 'reconciliation' }, mode: 'read' },
    (ctx) => connectorFigures(ctx),
  );
  const connector = rows.find(({ id }) => id === connectorId);
  if (!connector) return undefined;
  try {
    const items = await readInventory(settingsOf(app, connector), signal);
    return items && { connector, items };
  } catch (error) {
    if (!(error instanceof SourceFailure)) throw error;
    return { connector, failure: { code: error.code, detail: error.detail } };
  }
}

/** Determines the owner of each item by an Admin's assignment or a connector's rules; null if it has none. */
export async function ownersOf(
  ctx: Ctx,
  { id, mapping }: ReconciledConnector,
  items: readonly InventoryItem[],
): Promise<ReadonlyMap<string, Id<'sub'> | null>> {
  const assignments = await assignmentsOf(
    ctx,
    id,
    items.map(({ resource }) => resource),
  );
  return new Map(
    items.map(({ resource, fields }) => {
      const assigned = assignments.get(resource)?.assignedTo ?? null;
      return [resource, ownerOf(mapping, fields, assigned)?.subscriptionId ?? null];
    }),
  );
}

/**
 * The field of a source's readings that corresponds to the size of an inventory item; '' if there is none.
 */
export function sizePath(options: Options): string {
  if (options.kind === 'openstack' || options.kind === 'proxmox') return 'size';
  return options.kind === 'opencost' ? '' : (options.inventory?.fields.size ?? '');
}
export const sizeIn = (options: Options, fields: unknown): string => {
  const path = sizePath(options);
  return path === '' ? '' : (fieldText(fields, path) ?? '');
};

/**
 * Applies a connector's mapping to fields as if they were a reading; measures without a quantity are left
 * out. @throws SourceFailure
 */
export async function usageOfFields(
  { mapping }: Pick<ReconciledConnector, 'mapping'>,
  rows: readonly Readonly<Record<string, unknown>>[],
): Promise<MadeEvent[][]> {
  const evaluated = await evaluateMapping(
    mapping,
    rows.map((fields) => ({ fields })),
  );
  return evaluated.map((measures) =>
    mapping.measures.flatMap((measure, place): MadeEvent[] => {
      const quantity = quantityOf(measures[place]?.quantity, measure);
      if (quantity === undefined) return [];
      const dimensions = Object.entries(measures[place]?.dimensions ?? {}).flatMap(([name, value]) => {
        const text = dimensionOf(value);
        return text === undefined ? [] : [[name, text] as const];
      });
      return [{ eventType: measure.eventType, quantity, dimensions: Object.fromEntries(dimensions) }];
    }),
  );
}

/**
 * Assigns a resource to a subscription, even if it has no readings yet; its waiting readings are retried at
 * once.
 */
export async function giveResource(
  ctx: Ctx,
  connectorId: Id<'con'>,
  resource: string,
  fields: unknown,
  subscriptionId: Id<'sub'>,
): Promise<void> {
  const given = { assignedTo: subscriptionId, isIgnored: false };
  if (!(await assign(ctx, connectorId, resource, given))) {
    await noteResources(ctx, connectorId, [{ resource, subscriptionId, fields, at: ctx.now }]);
    await assign(ctx, connectorId, resource, given);
  }
  await askPull(ctx, connectorId);
  ctx.publish('system/connectors', { kind: 'connectors' });
}
