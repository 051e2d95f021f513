// Apache Kafka. Partitions are fetched individually from the offsets in the database. The consumer group's
// offsets are committed to the broker only to show other programs how far the console has read; they are
// never read. So no group rebalance can move partitions away.
import { Consumer } from '@platformatic/kafka';
import type { KafkaOptions } from '../../contract.ts';
import { webAddressOf } from '../../rules.ts';
import { hasCode } from '#platform/server/system-error.ts';
import { addressOf, checkedLookup, errorsIn, failureOf, tlsOptions } from '../connect.ts';
import {
  connectMs,
  maxBatchBytes,
  maxBatchMessages,
  StreamFailure,
  type Batch,
  type Incoming,
  type Lost,
  type ReaderSettings,
  type StreamReader,
} from '../reader.ts';

const waitMs = 1000;
const partitionBytes = 1024 * 1024;
const [earliest, latest] = [-2n, -1n];

type Partition = { readonly key: string; readonly index: number; next: bigint };

/** Connects and determines where each partition starts. @throws StreamFailure */
export async function openKafka(settings: ReaderSettings<KafkaOptions>): Promise<StreamReader> {
  const { topic } = settings.options;
  const consumer = consumerOf(settings);
  // A broken connection surfaces as an error of the call that needed it.
  consumer.on('error' as never, (error: unknown) => settings.app.log.debug({ err: error }, 'kafka'));
  try {
    const partitions: Partition[] = [];
    await refresh(settings, consumer, partitions);
    return {
      begins: new Map(partitions.map(({ key, next }) => [key, next])),
      next: () =>
        fetchBatch(settings, consumer, partitions).catch((error: unknown) => {
          throw kafkaFailure(error);
        }),
      acknowledge: async ({ positions }) => {
        const offsets = partitions.flatMap(({ key, index }) => {
          const offset = positions.get(key);
          return offset === undefined ? [] : [{ topic, partition: index, offset, leaderEpoch: -1 }];
        });
        if (offsets.length > 0) await consumer.commit({ offsets });
      },
      close: () => consumer.close(true),
    };
  } catch (error) {
    await consumer.close(true).catch((again: unknown) => settings.app.log.debug({ err: again }, 'kafka'));
    throw kafkaFailure(error);
  }
}

function consumerOf(settings: ReaderSettings<KafkaOptions>): Consumer {
  const { options, credentials, addresses } = settings;
  const isTls = addresses[0]?.isTls === true;
  const consumer = new Consumer({
    clientId: 'skytally',
    groupId: options.group,
    bootstrapBrokers: addresses.map(({ host, port }) => ({ host, port })),
    retries: 0,
    autocreateTopics: false,
    connectTimeout: connectMs,
    timeout: connectMs,
    requestTimeout: connectMs * 3,
    ...(isTls && { tls: { ...tlsOptions(settings), lookup: checkedLookup(settings) }, tlsServerName: true }),
    ...(credentials.kind === 'basic' && {
      sasl: { mechanism: options.mechanism, username: credentials.user, password: credentials.password },
    }),
  });
  consumer.topics.track(options.topic);
  return consumer;
}

/**
 * Returns the current state of the topic. Its brokers are checked before anything connects to them, because
 * the cluster names them, not an Admin.
 */
async function topicOf(settings: ReaderSettings<KafkaOptions>, consumer: Consumer) {
  const isTls = settings.addresses[0]?.isTls === true;
  if (!isTls) for (const each of settings.addresses) await addressOf(settings, each);
  const metadata = await consumer.metadata({ topics: [settings.options.topic] });
  const named = new Set(settings.addresses.map(webAddressOf));
  for (const { host, port } of metadata.brokers.values()) {
    const broker = { host, port, isTls };
    if (!named.has(webAddressOf(broker))) await addressOf(settings, broker);
  }
  const found = metadata.topics.get(settings.options.topic);
  if (!found) throw new StreamFailure('not_found', settings.options.topic);
  return found;
}

/**
 * Finds new partitions. In a topic that was read before, they are read from their beginning, wherever the
 * stream itself started.
 */
async function refresh(
  settings: ReaderSettings<KafkaOptions>,
  consumer: Consumer,
  partitions: Partition[],
): Promise<void> {
  const { options, positions, start } = settings;
  const topic = await topicOf(settings, consumer);
  const isFirst = positions.size === 0 && partitions.length === 0;
  for (let index = partitions.length; index < topic.partitionsCount; index++) {
    // A topic that was deleted and recreated has another id, and its offsets restart.
    const key = `${topic.id}/${index}`;
    const known = positions.get(key);
    const next =
      known ?? (isFirst && start === 'latest' ? await edgeOf(consumer, options.topic, index, latest) : 0n);
    partitions.push({ key, index, next });
  }
}

async function edgeOf(consumer: Consumer, topic: string, index: number, timestamp: bigint): Promise<bigint> {
  const offsets = await consumer.listOffsets({
    topics: [topic],
    partitions: { [topic]: [index] },
    timestamp,
  });
  return offsets.get(topic)?.[index] ?? 0n;
}

async function fetchBatch(
  settings: ReaderSettings<KafkaOptions>,
  consumer: Consumer,
  partitions: Partition[],
): Promise<Batch> {
  const { topic } = settings.options;
  await refresh(settings, consumer, partitions);
  const found = await topicOf(settings, consumer);
  const messages: Incoming[] = [];
  const lost: Lost[] = [];
  const positions = new Map<string, bigint>();
  let [lag, bytes] = [0n, 0];
  const byLeader = Map.groupBy(partitions, ({ index }) => found.partitions[index]?.leader ?? -1);
  for (const [node, wanted] of byLeader) {
    const answer = await consumer
      .fetch({
        node,
        maxWaitTime: Math.ceil(waitMs / byLeader.size),
        minBytes: 1,
        maxBytes: maxBatchBytes,
        topics: [
          {
            topicId: found.id,
            partitions: wanted.map(({ index, next }) => ({
              partition: index,
              currentLeaderEpoch: -1,
              fetchOffset: next,
              lastFetchedEpoch: -1,
              partitionMaxBytes: partitionBytes,
            })),
          },
        ],
      })
      .catch(async (error: unknown) => {
        if (!errorsIn(error).some((each) => 'apiId' in each && each.apiId === 'OFFSET_OUT_OF_RANGE'))
          throw error;
        await skipLost(settings, consumer, wanted, lost, positions);
        return undefined;
      });
    for (const part of answer?.responses.flatMap((each) => each.partitions) ?? []) {
      const partition = wanted.find(({ index }) => index === part.partitionIndex);
      if (!partition) continue;
      const full = (): boolean => messages.length >= maxBatchMessages || bytes >= maxBatchBytes;
      const isAborted = abortedIn(part.abortedTransactions ?? []);
      for (const batch of part.records ?? []) {
        if (full()) break;
        const isLeftOut = isAborted(batch);
        for (const record of batch.records) {
          const offset = batch.firstOffset + BigInt(record.offsetDelta);
          if (offset < partition.next) continue;
          if (full()) break;
          if (!isLeftOut) {
            messages.push({
              position: `${topic}/${partition.index}/${offset}`,
              positionId: `${partition.key}/${offset}`,
              topic,
              payload: record.value ?? new Uint8Array(),
              sentAt: new Date(Number(batch.firstTimestamp + record.timestampDelta)),
            });
            bytes += record.value?.length ?? 0;
          }
          partition.next = offset + 1n;
        }
        // The last records of a batch may have been compacted away.
        const end = batch.firstOffset + BigInt(batch.lastOffsetDelta) + 1n;
        if (!full() && end > partition.next) partition.next = end;
        positions.set(partition.key, partition.next);
      }
      if (part.highWatermark > partition.next) lag += part.highWatermark - partition.next;
    }
  }
  return { messages, lost, positions, lag: Number(lag) };
}

type Aborted = { readonly producerId: bigint; readonly firstOffset: bigint };
type RecordsBatch = {
  readonly attributes: number;
  readonly producerId: bigint;
  readonly firstOffset: bigint;
  readonly records: readonly { readonly key: Buffer | null }[];
};
/**
 * Determines, batch by batch, whether records must be skipped: the markers at the ends of transactions (bit 5
 * of the attributes), and records of a transaction (bit 4) that was aborted, from its first offset to its
 * marker, which may arrive in a later response. https://kafka.apache.org/documentation/#recordbatch
 */
function abortedIn(transactions: readonly Aborted[]): (batch: RecordsBatch) => boolean {
  const open = transactions.toSorted((a, b) => Number(a.firstOffset - b.firstOffset));
  return ({ attributes, producerId, firstOffset, records }) => {
    const place = open.findIndex((each) => each.producerId === producerId && each.firstOffset <= firstOffset);
    if ((attributes & 0x20) !== 0) {
      // The type of a marker: 0 aborts, 1 commits.
      if (place !== -1 && records[0]?.key?.readInt16BE(2) === 0) open.splice(place, 1);
      return true;
    }
    return (attributes & 0x10) !== 0 && place !== -1;
  };
}

/**
 * The broker deleted messages before they were read: reading continues with the oldest available one, and the
 * list shows what is missing.
 */
async function skipLost(
  { options: { topic } }: ReaderSettings<KafkaOptions>,
  consumer: Consumer,
  partitions: readonly Partition[],
  lost: Lost[],
  positions: Map<string, bigint>,
): Promise<void> {
  for (const partition of partitions) {
    const first = await edgeOf(consumer, topic, partition.index, earliest);
    const end = await edgeOf(consumer, topic, partition.index, latest);
    if (partition.next >= first && partition.next <= end) continue;
    if (first > partition.next && partition.next > 0n)
      lost.push({
        position: `${topic}/${partition.index}/${partition.next}`,
        topic,
        count: first - partition.next,
      });
    partition.next = first;
    positions.set(partition.key, first);
  }
}

function kafkaFailure(error: unknown): StreamFailure {
  const ids = errorsIn(error).flatMap((each) => ('apiId' in each ? [String(each.apiId)] : []));
  const has = (...names: readonly string[]): boolean => ids.some((each) => names.includes(each));
  if (has('UNKNOWN_TOPIC_OR_PARTITION', 'INVALID_TOPIC_EXCEPTION'))
    return new StreamFailure('not_found', ids.join(', '));
  if (has('SASL_AUTHENTICATION_FAILED', 'UNSUPPORTED_SASL_MECHANISM', 'ILLEGAL_SASL_STATE'))
    return new StreamFailure('refused_credentials', ids.join(', '));
  if (has('TOPIC_AUTHORIZATION_FAILED', 'GROUP_AUTHORIZATION_FAILED', 'CLUSTER_AUTHORIZATION_FAILED'))
    return new StreamFailure('refused', ids.join(', '));
  if (errorsIn(error).some((each) => hasCode(each, 'PLT_KFK_AUTHENTICATION')))
    return new StreamFailure('refused_credentials', error instanceof Error ? error.message : '');
  return failureOf(error);
}
