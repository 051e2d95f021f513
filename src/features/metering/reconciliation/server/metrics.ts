// Metrics of reconciliation, for alerts.
import { Gauge, type Registry } from 'prom-client';
import { decimalText } from '#kernel/decimal.ts';
import { moneyDecimal } from '#kernel/money.ts';
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import { sourceStates } from './store.ts';
import { findingTotals } from './store-findings.ts';

/** Registers the metrics of reconciliation. */
export function addReconciliationMetrics(registry: Registry, app: App): void {
  const db = { db: app.database.kysely };
  // Gauges of one scrape share one query.
  let scraped: ReturnType<typeof findingTotals> | undefined;
  const totals = (): ReturnType<typeof findingTotals> =>
    (scraped ??= findingTotals(db).finally(() => (scraped = undefined)));
  const amounts: Gauge = new Gauge({
    name: 'reconciliation_amount',
    help: 'What findings come to that are not ignored, in units of their currency.',
    labelNames: ['kind', 'currency'],
    registers: [registry],
    collect: async () => {
      amounts.reset();
      for (const { kind, amount } of (await totals()).totals)
        amounts.set({ kind, currency: amount.currency }, Number(decimalText(moneyDecimal(amount))));
    },
  });
  const findings: Gauge = new Gauge({
    name: 'reconciliation_findings',
    help: 'Findings that are not ignored.',
    labelNames: ['kind'],
    registers: [registry],
    collect: async () => {
      const { counts } = await totals();
      for (const kind of ['unbilled', 'ghost', 'differs'] as const) findings.set({ kind }, counts[kind]);
    },
  });
  const failing: Gauge = new Gauge({
    name: 'reconciliation_source_failing',
    help: 'Whether a source could not say what exists (1) or could (0).',
    labelNames: ['connector', 'name'],
    registers: [registry],
    collect: async () => {
      failing.reset();
      for (const { connectorId, name, failure } of await sourceStates(db))
        failing.set({ connector: connectorId, name }, Number(failure !== null));
    },
  });
}
