// Checks audit entries that a Skytally console exported: that none was changed, left out or inserted. One file, Node 20 or later, no network.
//
//   node check-audit.mjs FILE...             objects (*.ndjson) and their *.manifest.json, log files of a syslog server, bodies of webhooks
//   node check-audit.mjs --after HASH FILE   the hash before the first entry, if no manifest contains it
//
// Exit code 0: all entries are intact. 1: an entry is not, and its number is printed. 2: a file could not be read.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

const sha256 = (...parts) => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
};
/** SHA-256 of the previous hash (as bytes) and the fields, separated by U+001F. `at` is hashed without a time zone, `detail` as it is. */
const hashOf = (before, { seq, id, at, actorKind, actorId, action, subject, detail, requestId }) =>
  sha256(
    Buffer.from(before, 'hex'),
    [seq, id, at, actorKind, actorId, action, subject, detail, requestId].join('\u001f'),
  );

const given = process.argv.slice(2);
const at = given.indexOf('--after');
const after = at === -1 ? undefined : given.splice(at, 2)[1];
const [entries, known, files, manifests] = [new Map(), new Map(), new Map(), []];
const faults = [];

function take(entry, before) {
  const own = JSON.stringify(entry);
  const same = entries.get(entry.seq);
  // The same entry may be sent twice, after a response was lost.
  if (same !== undefined && same.own !== own)
    faults.push([entry.seq, 'two different entries have this number']);
  else entries.set(entry.seq, { own, entry });
  if (before !== undefined) known.set(entry.seq, before);
}

try {
  if (given.length === 0) throw new Error('pass at least one file');
  for (const file of given) {
    const content = readFileSync(file);
    files.set(basename(file), content);
    if (file.endsWith('.manifest.json')) {
      manifests.push(JSON.parse(content.toString('utf8')));
      continue;
    }
    for (const line of content.toString('utf8').split('\n')) {
      const batch = line.indexOf('{"type":"audit.entries"');
      const one = line.indexOf('{"seq":');
      if (batch !== -1) {
        const { entries: own, hashBefore } = JSON.parse(line.slice(batch));
        for (const [place, entry] of own.entries()) take(entry, place === 0 ? hashBefore : undefined);
      } else if (one !== -1)
        take(JSON.parse(line.slice(one)), / hashBefore="([0-9a-f]{64})"/.exec(line.slice(0, one))?.[1]);
    }
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(2);
}

for (const { object, first, count, hashBefore, sha256: expected } of manifests) {
  const content = files.get(basename(object));
  if (content !== undefined && sha256(content) !== expected)
    faults.push([first, `${basename(object)} differs from its manifest`]);
  const has = [...entries.keys()].filter((seq) => seq >= first && seq < first + count).length;
  if (content !== undefined && has !== count) faults.push([first, `${count} entries were exported, ${has} were found`]);
  known.set(first, hashBefore);
}

/** Whether a later entry records the erasure of personal data from this one, with its hash and its new content. */
const isErased = (entry) =>
  [...entries.values()].some(
    ({ entry: later }) =>
      later.action === 'personaldata.redact' &&
      later.seq > entry.seq &&
      JSON.parse(later.detail).entries.some(
        ({ seq, hash, content }) => seq === entry.seq && hash === entry.hash && content === hashOf('', entry),
      ),
  );

const sorted = [...entries.values()].map(({ entry }) => entry).sort((one, other) => one.seq - other.seq);
let last;
for (const entry of sorted) {
  const before =
    last?.hash ?? after ?? known.get(entry.seq) ?? (entry.seq === 1 ? sha256('') : undefined);
  if (last && entry.seq !== last.seq + 1) faults.push([last.seq + 1, `missing up to ${entry.seq - 1}`]);
  else if (before === undefined)
    console.error(`entry ${entry.seq} is the first one, so it cannot be checked: pass the hash before it with --after`);
  else if (hashOf(before, entry) !== entry.hash && !isErased(entry)) faults.push([entry.seq, `${entry.id} was changed`]);
  last = entry;
}

if (sorted.length === 0) {
  console.error('no entries in these files');
  process.exit(2);
}
faults.sort(([one], [other]) => one - other);
if (faults.length === 0)
  console.log(`same: entries ${sorted[0].seq} to ${last.seq}, the last hash is ${last.hash}`);
for (const [seq, what] of faults) console.log(`not the same at entry ${seq}: ${what}`);
process.exit(faults.length === 0 ? 0 : 1);
