// Validates an Admin's settings: addresses, expressions and subscriptions. Errors name their field.
import { domainError, ValidationError, type FieldError } from '#kernel/errors.ts';
import { targetIssue } from '#platform/server/outbound/outbound-pinned.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { subscriptionsByIds } from '#features/selling/subscriptions/server/index.ts';
import { connectorsErrors, maxDimensions, type Mapping } from '../contract.ts';
import type { Credentials, OpenStackOptions, Options } from '../contract-sources.ts';
import { repeatedEventType } from '../rules.ts';
import { expressionIssue } from './evaluate.ts';

/**
 * Checks an address that this console will request. Names are resolved and checked at request time, because
 * their addresses may change.
 */
export function assertAddress(ctx: Ctx, address: string, field = 'address'): void {
  const issue = targetIssue(address, false, ctx.app.config.privateHosts, { isPlainAllowed: true });
  // used as: 'connectors.address_*'
  if (issue) throw new ValidationError([{ field, code: `connectors.address_${issue}` }]);
}

/** Checks what a kind of source requires beyond the schema of its options. */
export function assertOptions(ctx: Ctx, address: string, windowSeconds: number, options: Options): void {
  if (options.kind === 'openstack') assertOpenStack(options, windowSeconds);
  if (options.kind !== 'http_json') return;
  const { inventory } = options;
  if (inventory) {
    assertAddress(ctx, inventory.address, 'options.inventory.address');
    // Credentials are meant for one server.
    if (new URL(inventory.address).origin !== new URL(address).origin)
      throw domainError(connectorsErrors, 'connectors.inventory_elsewhere', {}, [
        'options.inventory.address',
      ]);
  }
  const { kind, parameter, cursorField } = options.paging;
  const isWhole =
    kind === 'none' || kind === 'link' || (parameter !== '' && (kind !== 'cursor' || cursorField !== ''));
  if (!isWhole)
    throw domainError(connectorsErrors, 'connectors.paging_incomplete', {}, [
      parameter === '' ? 'options.paging.parameter' : 'options.paging.cursorField',
    ]);
}

function assertOpenStack(options: OpenStackOptions, windowSeconds: number): void {
  const needed =
    options.reads === 'gnocchi'
      ? (['metric', 'resourceType', 'aggregation'] as const)
      : options.reads === 'cloudkitty'
        ? (['metric'] as const)
        : [];
  const missing = needed.find((field) => options[field] === '');
  if (missing) throw domainError(connectorsErrors, 'connectors.option_missing', {}, [`options.${missing}`]);
  if (options.reads === 'gnocchi' && windowSeconds % options.granularitySeconds !== 0)
    throw domainError(connectorsErrors, 'connectors.granularity_odd', {}, ['options.granularitySeconds']);
}

/** Checks that a kind of source accepts the credentials. */
export function assertCredentials(kind: Options['kind'], credentials: Credentials['kind']): void {
  const isKeystone = credentials === 'keystone_password' || credentials === 'keystone_application';
  const fits =
    kind === 'openstack'
      ? isKeystone
      : kind === 'proxmox'
        ? credentials === 'proxmox_token'
        : !isKeystone && credentials !== 'proxmox_token';
  if (!fits) throw domainError(connectorsErrors, 'connectors.credentials_kind', {}, ['credentials']);
}

/** Checks that rules name existing subscriptions and measures can be evaluated. */
export async function assertMapping(ctx: Ctx, mapping: Mapping): Promise<void> {
  const twice = repeatedEventType(mapping.measures);
  if (twice !== undefined)
    throw domainError(connectorsErrors, 'connectors.same_event_type', {}, [
      `mapping.measures.${twice}.eventType`,
    ]);
  const wrong = mapping.measures.flatMap(({ quantity, dimensions }, place): FieldError[] => {
    const field = `mapping.measures.${place}`;
    if (Object.keys(dimensions).length > maxDimensions)
      return [
        {
          field: `${field}.dimensions`,
          code: 'connectors.too_many_dimensions',
          params: { most: maxDimensions },
        },
      ];
    return [
      [`${field}.quantity`, quantity] as const,
      ...Object.entries(dimensions).map(([name, each]) => [`${field}.dimensions.${name}`, each] as const),
    ].flatMap(([at, expression]) => {
      const reason = expressionIssue(expression);
      return reason === undefined
        ? []
        : [{ field: at, code: 'connectors.expression_wrong', params: { reason } }];
    });
  });
  if (wrong.length > 0) throw new ValidationError(wrong);
  await assertSubscriptions(
    ctx,
    mapping.rules.map((rule) => rule.subscriptionId),
    (place) => `mapping.rules.${place}.subscriptionId`,
  );
}

/**
 * Checks that subscriptions exist and are not add-ons. @throws DomainError `connectors.subscription_unknown`
 * at the field of the first that does not
 */
export async function assertSubscriptions(
  ctx: Ctx,
  ids: readonly string[],
  fieldOf: (place: number) => string,
): Promise<void> {
  if (ids.length === 0) return;
  const known = new Set<string>((await subscriptionsByIds(ctx.db, [...new Set(ids)])).map(({ id }) => id));
  const unknown = ids.findIndex((id) => !known.has(id));
  if (unknown !== -1)
    throw domainError(connectorsErrors, 'connectors.subscription_unknown', {}, [fieldOf(unknown)]);
}
