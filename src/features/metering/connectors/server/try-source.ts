// Queries a source without recording anything: checks its settings, and previews its newest complete window.
import type { In, Out } from '#kernel/contract.ts';
import { domainError } from '#kernel/errors.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { connectorsErrors, type connectors, type DryRun, type Mapping } from '../contract.ts';
import { windowStart, type Window } from '../rules.ts';
import { assertAddress, assertCredentials, assertMapping, assertOptions } from './check-settings.ts';
import { settingsOf } from './credentials.ts';
import { evaluateMapping } from './evaluate.ts';
import { checkSource, readWindow } from './open-source.ts';
import { decide, type Outcome } from './record-readings.ts';
import { SourceFailure, type SourceSettings } from './source.ts';
import { connectorById, type ConnectorRow } from './store.ts';
import { namesOfSubscriptions } from './store-resources.ts';

const shownRows = 100;
const longestMs = 60_000;

async function connectorOf(ctx: Ctx, connectorId: string): Promise<ConnectorRow> {
  const row = await connectorById(ctx, connectorId);
  if (!row) throw domainError(connectorsErrors, 'connectors.not_found');
  return row;
}

/** The newest window for which the source is complete. */
function newestWindow(
  { windowSeconds, settleSeconds }: Pick<ConnectorRow, 'windowSeconds' | 'settleSeconds'>,
  now: Date,
): Window {
  const end = windowStart(new Date(now.getTime() - settleSeconds * 1000), windowSeconds);
  return { start: new Date(end.getTime() - windowSeconds * 1000), end };
}

const failureOf = (error: unknown): DryRun['failure'] => {
  if (!(error instanceof SourceFailure)) throw error;
  return { code: error.code, detail: error.detail };
};

/** Checks a source; runs outside a transaction. */
export async function checkConnector(
  ctx: Ctx,
  { connectorId }: In<typeof connectors.checkConnector>,
): Promise<Out<typeof connectors.checkConnector>> {
  const row = await connectorOf(ctx, connectorId);
  try {
    const signal = AbortSignal.timeout(longestMs);
    const says = await checkSource(settingsOf(ctx.app, row), newestWindow(row, ctx.now), signal);
    return { says: ctx.text('connectors.check_says', { count: Number(says) }), failure: null };
  } catch (error) {
    return { says: null, failure: failureOf(error) };
  }
}

/** Previews a mapping on the newest window; runs outside a transaction and records nothing. */
export async function dryRunConnector(
  ctx: Ctx,
  { connectorId, mapping }: In<typeof connectors.dryRunConnector>,
): Promise<DryRun> {
  const row = await connectorOf(ctx, connectorId);
  const wanted = mapping ?? row.mapping;
  await assertMapping(ctx, wanted);
  return dryRun(ctx, connectorId, settingsOf(ctx.app, row), newestWindow(row, ctx.now), wanted);
}

/** The same with unsaved settings. Stored credentials are sent only to the server they were entered for. */
export async function tryConnector(ctx: Ctx, input: In<typeof connectors.tryConnector>): Promise<DryRun> {
  const { connectorId, address, options, mapping } = input;
  const row = connectorId === undefined ? undefined : await connectorOf(ctx, connectorId);
  assertAddress(ctx, address);
  assertOptions(ctx, address, input.windowSeconds, options);
  if (input.credentials) assertCredentials(options.kind, input.credentials.kind);
  await assertMapping(ctx, mapping);
  const stored = row && settingsOf(ctx.app, row);
  const isElsewhere = stored && new URL(stored.address).origin !== new URL(address).origin;
  if (isElsewhere && !input.credentials && stored.credentials.kind !== 'none')
    throw domainError(connectorsErrors, 'connectors.credentials_again', {}, ['credentials']);
  const settings: SourceSettings = {
    address,
    options,
    credentials: input.credentials ?? stored?.credentials ?? { kind: 'none' },
    privateHosts: ctx.app.config.privateHosts,
    timeoutMs: ctx.app.config.sourceTimeoutMs,
  };
  return dryRun(ctx, connectorId ?? '', settings, newestWindow(input, ctx.now), mapping);
}

async function dryRun(
  ctx: Ctx,
  connectorId: string,
  settings: SourceSettings,
  window: Window,
  mapping: Mapping,
): Promise<DryRun> {
  const none = { ...window, resources: 0, unmapped: 0, perRule: mapping.rules.map(() => 0), rows: [] };
  try {
    const readings = await readWindow(settings, window, AbortSignal.timeout(longestMs));
    const measures = await evaluateMapping(mapping, readings);
    const evaluated = readings.map((reading, place) => ({ reading, measures: measures[place] ?? [] }));
    const outcomes = await decide(ctx, connectorId, mapping, evaluated);
    return { ...none, failure: null, ...(await figuresOf(ctx, outcomes, mapping.rules.length)) };
  } catch (error) {
    return { ...none, failure: failureOf(error) };
  }
}

const resourceOf = ({ evaluated }: Outcome): string => evaluated.reading.resource;
const distinctCount = (outcomes: readonly Outcome[]): number => new Set(outcomes.map(resourceOf)).size;

async function figuresOf(
  ctx: Ctx,
  outcomes: readonly Outcome[],
  rules: number,
): Promise<Pick<DryRun, 'resources' | 'unmapped' | 'perRule' | 'rows'>> {
  const names = await namesOfSubscriptions(ctx, [
    ...new Set(outcomes.flatMap(({ subscription }) => subscription?.id ?? [])),
  ]);
  const rows = outcomes
    .toSorted((a, b) => Number(a.wait === undefined) - Number(b.wait === undefined))
    .slice(0, shownRows);
  return {
    resources: distinctCount(outcomes),
    unmapped: distinctCount(outcomes.filter(({ wait }) => wait?.reason === 'unmapped')),
    perRule: Array.from({ length: rules }, (_, place) =>
      distinctCount(outcomes.filter(({ rule }) => rule === place)),
    ),
    rows: rows.map(({ evaluated: { reading }, subscription, events, wait }) => ({
      resource: reading.resource,
      fields: JSON.stringify(reading.fields),
      subscription: (subscription && names.get(subscription.id)) ?? null,
      reason: wait?.reason ?? null,
      message: null,
      events: events.map(({ eventType, quantity, dimensions }) => ({
        eventType,
        quantity,
        dimensions: { ...dimensions },
      })),
    })),
  };
}
