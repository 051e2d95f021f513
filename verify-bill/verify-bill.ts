// Recomputes a bill from its proof without any connection: the signature, the usage from the events, each line from its price, the taxes and the
// total. Shares no code with the console.
//   node verify-bill.mjs FOLDER [--keys FILE] [--json]
// Exit code 0: the same. 1: something differs, or the signature is not valid. 2: the check could not run (a file is missing or damaged).
import { createHash, createPublicKey, verify, type KeyObject } from 'node:crypto';
import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import {
  add,
  compare,
  exact,
  fieldsOf,
  isFields,
  listOf,
  minus,
  nothing,
  numberOf,
  roundTo,
  show,
  sum,
  textOf,
  times,
  type Exact,
  type Fields,
  type Json,
} from './exact.ts';
import {
  amountOf,
  chargeOf,
  countedBy,
  partOf,
  percentOf,
  readEvents,
  shareIn,
  usagePrice,
  usedBy,
  type Used,
} from './rating.ts';

/** What was checked: `same`, `differs`, or `not_recomputed` where the proof does not hold what it takes. */
export type Finding = {
  readonly line: string | null;
  readonly check: 'events' | 'usage' | 'price' | 'rounding' | 'shares' | 'net' | 'tax' | 'total';
  readonly outcome: 'same' | 'differs' | 'not_recomputed';
  /** What the bill says, and what comes out here. */
  readonly stated: string;
  readonly found: string;
  readonly note: string;
};
/** The files of a proof: `bill.json`, its signature, and the events by their file names. */
export type Proof = {
  readonly bill: Buffer;
  readonly signature: string;
  readonly events: ReadonlyMap<string, Buffer>;
};
export type Verdict = {
  readonly isSame: boolean;
  /** Why nothing was recomputed; null when the signature is good. */
  readonly refused: string | null;
  readonly number: string;
  readonly keyId: string;
  readonly findings: readonly Finding[];
};

const feeKinds = new Set(['base_fee', 'recurring', 'one_time', 'credit']);
/** A fee from its price: so many of it, for a part of its period. */
function feePrice(pricing: Fields, line: Fields): Exact {
  const share = line['share'];
  const units = isFields(share)
    ? exact(textOf(share['units']))
    : exact(textOf(line['quantity']).replace('-', ''));
  const isSingle = pricing['model'] !== 'rate_card';
  const charge = isSingle ? pricing : chargeOf(pricing, line);
  const one: Used = { quantity: units, cells: [], events: [] };
  const price = isSingle
    ? times(exact(textOf(pricing['baseFee']) || '0'), units)
    : usagePrice(charge, false, shareIn({ part: 1, whole: 1 }), one);
  const part = isFields(share) ? partOf(price, shareIn(share)) : price;
  return line['kind'] === 'credit' ? minus(nothing, part) : part;
}

/** Recomputes a proof. Throws when a file of it is missing or cannot be read. */
export function judge({ bill: bytes, signature, events }: Proof, keys: readonly string[]): Verdict {
  const refusal = signatureRefusal(bytes, signature, keys);
  const proof = fieldsOf(JSON.parse(bytes.toString('utf8')) as Json);
  const bill = fieldsOf(proof['bill']);
  const head = {
    number: textOf(bill['number']),
    keyId: textOf(fieldsOf(JSON.parse(signature) as Json)['keyId']),
  };
  if (refusal) return { ...head, isSame: false, refused: refusal, findings: [] };
  if (proof['format'] !== 'skytally-bill-proof' || proof['version'] !== 1)
    throw new Error('This program does not support the format or version of this proof.');
  const findings: Finding[] = [];
  const note = (
    line: string | null,
    check: Finding['check'],
    stated: Exact,
    found: Exact,
    more = '',
  ): void => {
    findings.push({
      line,
      check,
      outcome: compare(stated, found) === 0 ? 'same' : 'differs',
      stated: show(stated),
      found: show(found),
      note: more,
    });
  };
  const leave = (line: string, check: Finding['check'], stated: string, why: string): void => {
    findings.push({ line, check, outcome: 'not_recomputed', stated, found: '', note: why });
  };
  const read = new Map<string, readonly Fields[]>();
  for (const [subscription, each] of Object.entries(fieldsOf(proof['events']))) {
    const { file, sha256, missing } = fieldsOf(each);
    if (missing !== undefined) continue;
    const content = events.get(textOf(file));
    if (!content) throw new Error(`${textOf(file)} is missing.`);
    const digest = createHash('sha256').update(content).digest('hex');
    const outcome = digest === sha256 ? 'same' : 'differs';
    findings.push({
      line: null,
      check: 'events',
      outcome,
      stated: textOf(sha256),
      found: digest,
      note: textOf(file),
    });
    if (outcome === 'same') read.set(subscription, readEvents(content));
  }
  const minorDigits = numberOf(bill['minorDigits']);
  const lines = listOf(proof['lines']).map(fieldsOf);
  for (const line of lines) {
    const id = textOf(line['id']);
    const stated = exact(textOf(line['exact']));
    const steps = listOf(line['steps']).map((step) => exact(textOf(fieldsOf(step)['amount'])));
    if (steps.length > 0 && line['term'] === undefined)
      note(id, 'price', stated, sum(steps), 'sum of its steps');
    // An adjustment is the difference of two months' rounded lines, not a rounded difference.
    if (line['kind'] !== 'adjustment')
      note(id, 'rounding', amountOf(line['total']), roundTo(stated, minorDigits));
    const pricing = fieldsOf(fieldsOf(fieldsOf(proof['prices'])[textOf(line['price'])])['pricing']);
    const shares = listOf(fieldsOf(line['term'])['shares']);
    if (shares.length > 0)
      note(
        id,
        'shares',
        minus(nothing, amountOf(line['total'])),
        sum(shares.map((each) => amountOf(fieldsOf(each)['amount']))),
      );
    if (feeKinds.has(textOf(line['kind'])) && line['price'] !== null)
      note(id, 'price', stated, feePrice(pricing, line));
    else if (line['kind'] === 'usage' && line['price'] !== null) judgeUsage(line, pricing);
    else if (line['term'] === undefined)
      leave(
        id,
        'price',
        show(stated),
        `${textOf(line['kind'])}: only its steps were added up, because it depends on other bills or lines`,
      );
  }
  judgeTotals();
  return { ...head, isSame: findings.every(({ outcome }) => outcome !== 'differs'), refused: null, findings };

  function judgeUsage(line: Fields, pricing: Fields): void {
    const id = textOf(line['id']);
    const usage = line['usage'];
    if (!isFields(usage)) return leave(id, 'usage', textOf(line['quantity']), textOf(line['why']));
    const own = read.get(textOf(usage['eventsOf']));
    const counted = own && countedBy(usage, own);
    const used = counted && usedBy(usage, counted);
    const charge = chargeOf(pricing, line);
    if (used) note(id, 'usage', exact(textOf(line['quantity'])), used.quantity, `${counted.length} events`);
    else {
      const { missing } = fieldsOf(fieldsOf(proof['events'])[textOf(usage['eventsOf'])]);
      leave(
        id,
        'usage',
        textOf(line['quantity']),
        own
          ? 'an average over time also depends on earlier reports'
          : textOf(missing) || 'its event file was changed',
      );
      if (
        charge['model'] === 'matrix' ||
        charge['model'] === 'percentage' ||
        charge['tierScope'] === 'per_value'
      )
        return leave(id, 'price', textOf(line['exact']), 'the price depends on single events');
    }
    const priced = used ?? { quantity: exact(textOf(line['quantity'])), cells: [], events: [] };
    note(
      id,
      'price',
      exact(textOf(line['exact'])),
      usagePrice(charge, pricing['model'] !== 'rate_card', shareIn(usage['share']), priced),
    );
  }

  /** Each tax is rounded once on the sum of its lines, less what discounts and credits took from them. */
  function judgeTotals(): void {
    const taken = lines.flatMap((line) => listOf(fieldsOf(line['term'])['shares']).map(fieldsOf));
    const left = (id: Json): Exact =>
      minus(
        sum(lines.filter((line) => line['id'] === id).map((line) => amountOf(line['total']))),
        sum(taken.filter(({ lineId }) => lineId === id).map(({ amount }) => amountOf(amount))),
      );
    const net = sum(lines.map((line) => amountOf(line['total'])));
    note(null, 'net', amountOf(bill['net']), net);
    const rows = listOf(bill['taxes']).map(fieldsOf);
    const taxes = rows.map((row) => {
      const own = sum(listOf(row['lines']).map(left));
      note(null, 'net', amountOf(row['net']), own, `taxed ${textOf(row['rate'])} %`);
      return { row, tax: roundTo(times(own, percentOf(textOf(row['rate']))), minorDigits) };
    });
    for (const { row, tax } of taxes)
      note(null, 'tax', amountOf(row['tax']), tax, `${textOf(row['rate'])} %`);
    const tax =
      rows.length > 0
        ? sum(taxes.map((each) => each.tax))
        : roundTo(times(net, percentOf(textOf(bill['taxRate']))), minorDigits);
    note(null, 'tax', amountOf(bill['tax']), tax);
    note(null, 'total', amountOf(bill['total']), add(net, tax));
  }
}

/** Why a signature is not good; undefined when it is. It covers the purpose, a line end and the bytes of `bill.json`. */
function signatureRefusal(bill: Buffer, signature: string, pems: readonly string[]): string | undefined {
  const { algorithm, keyId, signature: sealed } = fieldsOf(JSON.parse(signature) as Json);
  if (algorithm !== 'ed25519') return 'The proof is not signed with Ed25519.';
  const named = (pem: string): [string, KeyObject] => {
    const key = createPublicKey(pem);
    return [
      createHash('sha256')
        .update(key.export({ type: 'spki', format: 'pem' }))
        .digest('hex')
        .slice(0, 16),
      key,
    ];
  };
  const key = new Map(pems.map(named)).get(textOf(keyId));
  if (key?.asymmetricKeyType !== 'ed25519')
    return `The proof is signed with key ${textOf(keyId)}, which is not among the public keys.`;
  const signed = Buffer.concat([Buffer.from('skytally-bill-proof\n'), bill]);
  if (!verify(null, signed, key, Buffer.from(textOf(sealed), 'base64url')))
    return 'The signature does not match this bill: the bill was changed.';
  return undefined;
}

/** The public keys of a file, as the console gives them. */
export const keysOf = (text: string): string[] =>
  listOf(fieldsOf(JSON.parse(text) as Json)['keys']).map((key) => textOf(fieldsOf(key)['publicKey']));

function main(): number {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { keys: { type: 'string' }, json: { type: 'boolean' } },
  });
  const folder = positionals[0] ?? '.';
  const file = (name: string): Buffer => readFileSync(join(folder, name));
  const bill = file('bill.json');
  const named = Object.values(
    fieldsOf(fieldsOf(JSON.parse(bill.toString('utf8')) as Json)['events']),
  ).flatMap((each) => textOf(fieldsOf(each)['file']) || []);
  // A name that leads out of the folder is no file of the proof.
  const own = named.filter((name) => /^events-[a-z0-9_]+\.ndjson$/.test(name));
  const verdict = judge(
    {
      bill,
      signature: file('bill.json.sig').toString('utf8'),
      events: new Map(own.map((name) => [name, file(name)])),
    },
    keysOf(readFileSync(values.keys ?? join(folder, 'public-keys.json'), 'utf8')),
  );
  if (values.json) process.stdout.write(`${JSON.stringify(verdict, null, 2)}\n`);
  else {
    const shown = verdict.findings.map(({ line, check, outcome, stated, found, note }) =>
      [
        line === null ? 'bill' : `line ${line}`,
        check,
        outcome.replace('_', ' '),
        stated,
        ...(outcome === 'differs' ? [`found ${found}`] : []),
        note,
      ]
        .filter((part) => part !== '')
        .join('  '),
    );
    const end =
      verdict.refused ??
      (verdict.isSame
        ? 'The same: the recomputed amounts match the bill.'
        : 'Not the same: see the lines marked "differs".');
    process.stdout.write(
      `${[`Bill ${verdict.number}, signed with key ${verdict.keyId}`, ...shown, end].join('\n')}\n`,
    );
  }
  return verdict.isSame ? 0 : 1;
}

const [, script] = process.argv;
if (script && realpathSync(script) === realpathSync(fileURLToPath(import.meta.url))) {
  try {
    process.exitCode = main();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 2;
  }
}
