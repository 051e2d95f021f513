// The reader of a stream, by its kind.
import type { Options } from '../contract.ts';
import type { Incoming, ReaderSettings, StreamReader } from './reader.ts';
import { openKafka } from './readers/kafka.ts';
import { openMqtt, peekMqtt } from './readers/mqtt.ts';
import { openNats, peekNats } from './readers/nats.ts';

const withOptions = <O extends Options>(settings: ReaderSettings, options: O): ReaderSettings<O> => ({
  ...settings,
  options,
});

/** Connects. @throws StreamFailure */
export function openReader(settings: ReaderSettings): Promise<StreamReader> {
  const { options } = settings;
  if (options.kind === 'nats') return openNats(withOptions(settings, options));
  if (options.kind === 'kafka') return openKafka(withOptions(settings, options));
  return openMqtt(withOptions(settings, options));
}

const peekMs = 4000;
/** The next messages, without acknowledging them or moving anything. @throws StreamFailure */
export async function peek(settings: ReaderSettings, most: number): Promise<readonly Incoming[]> {
  const { options } = settings;
  if (options.kind === 'nats') return peekNats(withOptions(settings, options), most);
  if (options.kind === 'mqtt') return peekMqtt(withOptions(settings, options), most, peekMs);
  // Kafka's positions are stored with the events, so reading moves nothing.
  const reader = await openKafka(withOptions(settings, options));
  try {
    return (await reader.next(settings.signal)).messages.slice(0, most);
  } finally {
    await reader.close();
  }
}
