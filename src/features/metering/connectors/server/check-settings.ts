// What an Admin may set: addresses that are asked, expressions that can be read, subscriptions that exist. Errors name their field.
import { domainError, ValidationError, type FieldError } from '#kernel/errors.ts';
import { targetIssue } from '#platform/server/outbound/outbound-pinned.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { subscriptionsByIds } from '#features/selling/subscriptions/server/index.ts';
import { connectorsErrors, maxDimensions, type Mapping, type Options } from '../contract.ts';
import { repeatedEventType } from '../rules.ts';
import { expressionIssue } from './evaluate.ts';

/** An address that this console asks. Names are resolved and checked when it is asked, because their addresses may change. */
export function assertAddress(ctx: Ctx, address: string): void {
  const issue = targetIssue(address, false, ctx.app.config.privateHosts, { isPlainAllowed: true });
  // used as: 'connectors.address_*'
  if (issue) throw new ValidationError([{ field: 'address', code: `connectors.address_${issue}` }]);
}

/** What its way of paging needs. */
export function assertOptions(options: Options): void {
  if (options.kind !== 'http_json') return;
  const { kind, parameter, cursorField } = options.paging;
  const isWhole =
    kind === 'none' || kind === 'link' || (parameter !== '' && (kind !== 'cursor' || cursorField !== ''));
  if (!isWhole)
    throw domainError(connectorsErrors, 'connectors.paging_incomplete', {}, [
      parameter === '' ? 'options.paging.parameter' : 'options.paging.cursorField',
    ]);
}

/** Rules that lead to subscriptions, and measures that can be evaluated. */
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

/** Subscriptions that exist and are no add-ons. @throws DomainError `connectors.subscription_unknown` at the field of the first that does not */
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
