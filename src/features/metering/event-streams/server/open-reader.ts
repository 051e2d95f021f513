// Opens the reader of a stream by its kind. Broker clients are loaded when the first stream needs them:
// Kafka's alone would take a seventh of the startup time.
import type { Options } from '../contract.ts';
import type { Incoming, ReaderSettings, StreamReader } from './reader.ts';
import { openFiles } from './readers/files.ts';

const kafka = () => import('./readers/kafka.ts');
const mqtt = () => import('./readers/mqtt.ts');
const nats = () => import('./readers/nats.ts');

const withOptions = <O extends Options>(settings: ReaderSettings, options: O): ReaderSettings<O> => ({
  ...settings,
  options,
});

/** Connects. @throws StreamFailure */
export async function openReader(settings: ReaderSettings): Promise<StreamReader> {
  const { options } = settings;
  if (options.kind === 'nats') return (await nats()).openNats(withOptions(settings, options));
  if (options.kind === 'kafka') return (await kafka()).openKafka(withOptions(settings, options));
  if (options.kind === 'files') return openFiles(withOptions(settings, options));
  return (await mqtt()).openMqtt(withOptions(settings, options));
}

const peekMs = 4000;
const peekFilesMs = 8000;
/** Returns the next messages without acknowledging them or moving any position. @throws StreamFailure */
export async function peek(settings: ReaderSettings, most: number): Promise<readonly Incoming[]> {
  const { options } = settings;
  if (options.kind === 'nats') return (await nats()).peekNats(withOptions(settings, options), most);
  if (options.kind === 'mqtt') return (await mqtt()).peekMqtt(withOptions(settings, options), most, peekMs);
  // Positions of Kafka and files are stored with the events, so reading moves nothing.
  const reader =
    options.kind === 'files'
      ? await openFiles(withOptions(settings, options))
      : await (await kafka()).openKafka(withOptions(settings, options));
  try {
    const until = performance.now() + (options.kind === 'files' ? peekFilesMs : 0);
    for (;;) {
      const { messages, positions } = await reader.next(settings.signal);
      // A large file may still be downloading.
      if (messages.length > 0 || positions.size > 0 || performance.now() >= until)
        return messages.slice(0, most);
    }
  } finally {
    await reader.close();
  }
}
