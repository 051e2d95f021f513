// Archived events in ClickHouse. Each attempt to write a part has its own name, and only recorded names are
// read, so rows left by failed attempts are never read or counted twice.
import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { ClickHouseError, ClickHouseLogLevel, createClient, type ClickHouseClient } from '@clickhouse/client';
import * as z from 'zod/mini';
import { trimDecimal } from '#kernel/decimal.ts';
import { monthPeriod } from '#kernel/time.ts';
import { ArchiveDamaged, EventStoreUnavailable } from './archive-errors.ts';
import type { EventArchive } from './event-archive.ts';
import type { ArchivedRow } from './store-archive.ts';

const table = 'skytally_usage_event';
/** The table for a single server; on a cluster the operator creates it (docs/operator/usage-archive.md). */
const tableDefinition = `create table if not exists ${table} (
  subscription_id LowCardinality(String), time DateTime64(6, 'UTC') codec(Delta, ZSTD), source_id UInt32, id String codec(ZSTD), source LowCardinality(String), value Decimal(38, 12), received_at DateTime64(6, 'UTC') codec(Delta, ZSTD),
  key_id LowCardinality(Nullable(String)), type LowCardinality(Nullable(String)), properties Nullable(String) codec(ZSTD), voids_source_id Nullable(UInt32), voids Nullable(String),
  archive_id UInt32, part LowCardinality(String)
) engine = MergeTree partition by toYYYYMM(time) order by (subscription_id, time, source_id, id)`;

const columns = `id, source, source_id as sourceId, subscription_id as subscriptionId, time, toString(value) as value, received_at as receivedAt, key_id as keyId, type, properties, voids_source_id as voidsSourceId, voids`;
const Row = z.strictObject({
  id: z.string(),
  source: z.string(),
  sourceId: z.int(),
  subscriptionId: z.string(),
  time: z.string(),
  value: z.string(),
  receivedAt: z.string(),
  keyId: z.nullable(z.string()),
  type: z.nullable(z.string()),
  properties: z.nullable(z.string()),
  voidsSourceId: z.nullable(z.int()),
  voids: z.nullable(z.string()),
});
const rowsAtOnce = 1000;

/**
 * Opens the archive in ClickHouse at `clickhouse://user:password@host:8123/database`, or `clickhouses://`
 * over TLS. Does not connect yet.
 */
export function clickhouseArchive(url: string): EventArchive {
  const client = clientOf(url);
  // The first write creates the table; reads can rely on it because there is something to read.
  let made: Promise<unknown> | undefined;
  return {
    kind: 'clickhouse',
    isLatestFirst: true,
    write: async ({ archiveId, month, number }, events, signal) => {
      made ??= client.command({ query: tableDefinition });
      await available(made).catch((error: unknown) => {
        made = undefined;
        throw error;
      });
      const hash = createHash('sha256');
      const name = `${month} ${archiveId}-${number} ${randomUUID()}`;
      await available(
        client.insert({
          table,
          values: Readable.from(
            jsonOf(events, { archive_id: archiveId, part: name }, (row) => hash.update(contentOf(row))),
          ),
          format: 'JSONEachRow',
          abort_signal: signal,
          clickhouse_settings: {
            date_time_input_format: 'best_effort',
            wait_end_of_query: 1,
          },
        }),
      );
      return { name, bytes: 0, digest: hash.digest('hex') };
    },
    readPart: async function* ({ name, digest }) {
      const hash = createHash('sha256');
      for await (const rows of read(
        client,
        `part = {name:String} order by subscription_id, time, source_id, id`,
        { name },
      )) {
        for (const row of rows) hash.update(contentOf(row));
        yield rows;
      }
      if (hash.digest('hex') !== digest) throw new ArchiveDamaged(name, 'it is not what was written');
    },
    eventsOf: ({ month, parts }, { subscriptionId, start, end }) => {
      const period = monthPeriod(month, 'UTC');
      return read(
        client,
        `subscription_id = {subscriptionId:String} and time >= fromUnixTimestamp64Milli({from:Int64}) and time < fromUnixTimestamp64Milli({to:Int64}) and part in {names:Array(String)} order by time desc, source desc, id desc`,
        {
          subscriptionId,
          names: parts.map(({ name }) => name),
          from: Math.max(period.start.getTime(), start?.getTime() ?? 0),
          to: Math.min(period.end.getTime(), end?.getTime() ?? Number.MAX_SAFE_INTEGER),
        },
      );
    },
    removeOthers: async ({ archiveId }, parts) => {
      await available(
        client.command({
          query: `delete from ${table} where archive_id = {archiveId:UInt32} and part not in {names:Array(String)}`,
          query_params: { archiveId, names: parts.map(({ name }) => name) },
        }),
      );
    },
  };
}

function clientOf(url: string): ClickHouseClient {
  const { protocol, username, password, hostname, port, pathname } = new URL(url);
  return createClient({
    url: `${protocol === 'clickhouses:' ? 'https' : 'http'}://${hostname}:${port || '8123'}`,
    ...(username && { username: decodeURIComponent(username) }),
    ...(password && { password: decodeURIComponent(password) }),
    database: decodeURIComponent(pathname.slice(1)) || 'default',
    request_timeout: 300_000,
    application: 'skytally',
    // Errors are thrown, and the callers log them.
    log: { level: ClickHouseLogLevel.OFF },
  });
}

/**
 * Resolves when ClickHouse responds and accepts the credentials. @throws EventStoreUnavailable; its
 * `isRefused` is true if ClickHouse responded.
 */
export async function assertClickhouse(url: string): Promise<void> {
  const client = clientOf(url);
  try {
    await available(client.command({ query: 'select 1' }));
  } finally {
    await client.close();
  }
}

/** Awaits a ClickHouse result; rethrows its errors and network errors as {@link EventStoreUnavailable}. */
async function available<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new EventStoreUnavailable(`ClickHouse: ${error.message}`, error instanceof ClickHouseError, error);
  }
}

/** Yields the rows that meet a condition, in portions. */
async function* read(
  client: ClickHouseClient,
  condition: string,
  parameters: Readonly<Record<string, unknown>>,
): AsyncGenerator<ArchivedRow[], void, void> {
  const result = await available(
    client.query({
      query: `select ${columns} from ${table} where ${condition}`,
      query_params: parameters,
      format: 'JSONEachRow',
      clickhouse_settings: { date_time_output_format: 'iso', output_format_json_quote_64bit_integers: 0 },
    }),
  );
  let rows: ArchivedRow[] = [];
  try {
    for await (const some of result.stream())
      for (const row of some) {
        rows.push(z.parse(Row, row.json()));
        if (rows.length < rowsAtOnce) continue;
        yield rows;
        rows = [];
      }
  } catch (error) {
    if (error instanceof z.core.$ZodError || !(error instanceof Error)) throw error;
    throw new EventStoreUnavailable(`ClickHouse: ${error.message}`, error instanceof ClickHouseError, error);
  } finally {
    // A reader that stops early does not wait for the rest.
    result.close();
  }
  yield rows;
}

/** Serializes rows for ClickHouse; `seen` is called with each row as it will be read back. */
async function* jsonOf(
  events: AsyncIterable<readonly ArchivedRow[]>,
  of: { readonly archive_id: number; readonly part: string },
  seen: (row: ArchivedRow) => void,
): AsyncGenerator<Readonly<Record<string, unknown>>, void, void> {
  for await (const rows of events)
    for (const row of rows) {
      seen(row);
      yield {
        ...of,
        id: row.id,
        source: row.source,
        source_id: row.sourceId,
        subscription_id: row.subscriptionId,
        time: row.time,
        value: row.value,
        received_at: row.receivedAt,
        key_id: row.keyId,
        type: row.type,
        properties: row.properties,
        voids_source_id: row.voidsSourceId,
        voids: row.voids,
      };
    }
}

/** The content of an event that must survive the round trip; trailing zeros of its value do not matter. */
const contentOf = (row: ArchivedRow): string =>
  `${JSON.stringify([row.id, row.source, row.sourceId, row.subscriptionId, row.time, trimDecimal(row.value), row.receivedAt, row.keyId, row.type, row.properties, row.voidsSourceId, row.voids])}\n`;
