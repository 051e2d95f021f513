// Reads files kept in version control, YAML or JSON.
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { isMap, isScalar, parseDocument, visit } from 'yaml';
import { readJson } from '#kernel/parse-json.ts';
import { asError } from '#kernel/errors.ts';
import { CommandRefused } from './command-refused.ts';

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new CommandRefused(`${path} cannot be read: ${asError(error).message}`);
  }
}

/** Parses a file. Numbers in YAML keep their digits as written, except in fields that are integers. */
export function readStructured(path: string, wholeNumbers: ReadonlySet<unknown>): unknown {
  const text = textOf(path);
  if (extname(path).toLowerCase() === '.json') {
    const read = readJson(text);
    if ('reason' in read) throw new CommandRefused(`${path} is no JSON: ${read.reason}`);
    return read.value;
  }
  const document = parseDocument(text);
  const [mistake] = document.errors;
  if (mistake) throw new CommandRefused(`${path} is no YAML: ${mistake.message}`);
  visit(document, {
    Pair: (_key, pair) => {
      const name = isScalar(pair.key) ? pair.key.value : undefined;
      if (isScalar(pair.value) && typeof pair.value.value === 'number' && !wholeNumbers.has(name))
        pair.value.value = pair.value.source ?? String(pair.value.value);
    },
  });
  if (!isMap(document.contents)) throw new CommandRefused(`${path} holds no map of fields.`);
  return document.toJS();
}
