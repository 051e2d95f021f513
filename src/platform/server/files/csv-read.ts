// CSV files of others, taken apart portion by portion: between two portions everybody else has a turn.
import { pipeline, Readable } from 'node:stream';
import { parse, type Options } from 'csv-parse';
import { yieldToEventLoop } from '../jobs/yield-to-event-loop.ts';

// Of the shortest rows, each of another length than the first, csv-parse takes apart a few thousand in a tenth of a second.
const portionBytes = 4096;

async function* portionsOf(content: Uint8Array): AsyncGenerator<Uint8Array, void, void> {
  for (let from = 0; from < content.length; from += portionBytes) {
    yield content.subarray(from, from + portionBytes);
    await yieldToEventLoop();
  }
}

/** The records of a file (UTF-8), in whatever form the options ask for. Throws csv-parse's error where it is no CSV. */
export async function* csvRecords<Row>(
  content: Uint8Array,
  options: Options,
): AsyncGenerator<Row, void, void> {
  const parser = parse(options);
  // The reader of the records is told what goes wrong by the parser itself.
  pipeline(Readable.from(portionsOf(content), { highWaterMark: 1 }), parser, () => undefined);
  yield* parser as AsyncIterable<Row>;
}

/** All records of a file that the options keep short. */
export async function readCsv<Row>(content: Uint8Array, options: Options): Promise<Row[]> {
  const records: Row[] = [];
  for await (const record of csvRecords<Row>(content, options)) records.push(record);
  return records;
}
