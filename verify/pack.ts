// Whether a month pack is complete: it has every file of its manifest, unchanged, and no other, and its
// tables sum up to the manifest's totals.
import { createHash } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { openArchive, type Archive, type ArchivedFile } from './archive.ts';

type ManifestFile = { readonly name: string; readonly size: number; readonly sha256: string };
type Documents = { readonly count: number; readonly total: { readonly amount: string } };
type Manifest = {
  readonly format: string;
  readonly month: string;
  readonly madeAt: string;
  readonly version: string;
  readonly organization: { readonly name: string } | null;
  readonly files: readonly ManifestFile[];
  readonly counts: { readonly bills: number; readonly creditNotes: number };
  readonly totals: readonly {
    readonly currency: string;
    readonly bills: Documents;
    readonly voided: Documents;
    readonly creditNotes: Documents;
  }[];
  /** What terms came to on the bills; packs of before have none. */
  readonly terms?: readonly ({ readonly currency: string } & Readonly<Record<Term, string>>)[];
};

const terms = ['discount', 'promotionalCredit', 'commitmentRates', 'trueUp', 'minimumSpend'] as const;
type Term = (typeof terms)[number];

/** Of which term a row of the FOCUS file is; undefined for all else, and for what takes back. */
function termOf(cell: (column: string) => string): Term | undefined {
  if (cell('ChargeClass') !== '') return undefined;
  const category = cell('ChargeCategory');
  // Credit that was given away is nothing that was contracted.
  if (category === 'Credit') return cell('ContractedCost') === '0' ? 'promotionalCredit' : 'discount';
  if (cell('CommitmentDiscountStatus') === 'Unused') return 'trueUp';
  if (category !== 'Adjustment') return undefined;
  if (cell('CommitmentDiscountId') !== '') return 'commitmentRates';
  return cell('SkuId').startsWith('msp_') ? 'minimumSpend' : undefined;
}

const manifestName = 'manifest.json';
const print = (words: string): void => void process.stdout.write(`${words}\n`);

async function manifestOf(archive: Archive): Promise<Manifest> {
  const file = archive.files.find(({ name }) => name === manifestName);
  if (!file) throw new Error('manifest.json is missing, so this is not a month pack');
  const manifest = JSON.parse(await text(await archive.read(file))) as Manifest;
  if (manifest.format !== 'skytally month pack 1')
    throw new Error(`unknown manifest format: ${manifest.format}`);
  return manifest;
}

async function wrongOf(archive: Archive, file: ArchivedFile, listed: ManifestFile): Promise<string | null> {
  const hash = createHash('sha256');
  let size = 0;
  try {
    for await (const piece of (await archive.read(file)) as AsyncIterable<Buffer>) {
      hash.update(piece);
      size += piece.length;
    }
  } catch (error) {
    return `${file.name} cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  }
  const sha256 = hash.digest('hex');
  return size === listed.size && sha256 === listed.sha256
    ? null
    : `${file.name} was changed: expected ${listed.size} bytes with SHA-256 ${listed.sha256}, found ${size} bytes with SHA-256 ${sha256}`;
}

/** A decimal text in units of 10^-12, so that sums are exact. */
function exact(amount: string): bigint {
  const [, sign, whole, fraction] = /^(-?)(\d+)(?:\.(\d{1,12}))?$/.exec(amount) ?? [];
  if (whole === undefined) throw new Error(`not an amount: ${amount}`);
  const value = BigInt(whole + (fraction ?? '').padEnd(12, '0'));
  return sign === '-' ? -value : value;
}

/** The cells of a line of CSV. */
function cellsOf(line: string): string[] {
  return [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) =>
    quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'),
  );
}

/** Compares the FOCUS file's sums in each currency with bills less voids and credit notes, and with what terms came to. */
async function wrongSums(archive: Archive, manifest: Manifest): Promise<string[]> {
  const file = archive.files.find(({ name }) => name === 'focus.csv');
  if (!file) return [];
  const sums = new Map<string, bigint>();
  const ofTerms = new Map<string, bigint>();
  let columns: string[] | undefined;
  let left = '';
  const take = (line: string): void => {
    const cells = cellsOf(line.replace(/^\uFEFF/, ''));
    if (!columns) {
      columns = cells;
      return;
    }
    const places = columns;
    const cell = (column: string): string => cells[places.indexOf(column)] ?? '';
    const currency = cell('BillingCurrency');
    const cost = exact(cell('BilledCost'));
    sums.set(currency, (sums.get(currency) ?? 0n) + cost);
    const term = termOf(cell);
    if (term !== undefined) {
      const key = `${term} ${currency}`;
      ofTerms.set(key, (ofTerms.get(key) ?? 0n) + cost);
    }
  };
  const content = await archive.read(file);
  for await (const piece of content.setEncoding('utf8') as AsyncIterable<string>) {
    left += piece;
    // A line feed within quotes belongs to its cell, so a line is complete when its number of quotes is even.
    for (let end = left.indexOf('\r\n'), from = 0; end >= 0; end = left.indexOf('\r\n', from)) {
      if ((left.slice(0, end).split('"').length - 1) % 2 === 1) {
        from = end + 2;
        continue;
      }
      take(left.slice(0, end));
      left = left.slice(end + 2);
      from = 0;
    }
  }
  return [...wrongTotals(manifest, sums), ...wrongTerms(manifest, ofTerms)];
}

function wrongTotals(manifest: Manifest, sums: ReadonlyMap<string, bigint>): string[] {
  return manifest.totals.flatMap(({ currency, bills, voided, creditNotes }) => {
    const expected = exact(bills.total.amount) - exact(voided.total.amount) - exact(creditNotes.total.amount);
    const found = sums.get(currency) ?? 0n;
    return found === expected
      ? []
      : [`focus.csv: its total in ${currency} differs from bills less voids and credit notes`];
  });
}

/** What the bills had of each term is what the rows of its kind come to, in both directions. */
function wrongTerms({ terms: told }: Manifest, found: ReadonlyMap<string, bigint>): string[] {
  if (told === undefined) return [];
  const expected = new Map<string, bigint>(
    told.flatMap((sums) => terms.map((term) => [`${term} ${sums.currency}`, exact(sums[term])] as const)),
  );
  return [...new Set([...expected.keys(), ...found.keys()])].flatMap((key) => {
    const [term, currency] = key.split(' ');
    return (expected.get(key) ?? 0n) === (found.get(key) ?? 0n)
      ? []
      : [`focus.csv: its total of ${term} in ${currency} differs from the manifest`];
  });
}

/** Checks a pack and prints the findings; true when it is complete. Throws when it is no pack. */
export async function packIsWhole(path: string): Promise<boolean> {
  const archive = await openArchive(path);
  try {
    const manifest = await manifestOf(archive);
    print(
      `Checking the month pack of ${manifest.month}, ${manifest.organization?.name ?? 'all organizations'}, created at ${manifest.madeAt} by version ${manifest.version}: ${manifest.files.length} files.`,
    );
    const archived = new Map(archive.files.map((file) => [file.name, file]));
    const wrong: string[] = [];
    if (archived.size !== archive.files.length) wrong.push('a file name appears twice');
    for (const listed of manifest.files) {
      const file = archived.get(listed.name);
      const found = file ? await wrongOf(archive, file, listed) : `${listed.name} is missing`;
      if (found !== null) wrong.push(found);
    }
    const named = new Set(manifest.files.map(({ name }) => name));
    for (const { name } of archive.files)
      if (name !== manifestName && !named.has(name)) wrong.push(`${name} is not in the manifest`);
    const countOf = (folder: string): number =>
      manifest.files.filter(({ name }) => name.startsWith(`${folder}/`)).length;
    if (countOf('bills') !== manifest.counts.bills || countOf('credit-notes') !== manifest.counts.creditNotes)
      wrong.push('the numbers of bills and credit notes differ from the manifest');
    // The sums of a damaged pack would add no information.
    if (wrong.length === 0) wrong.push(...(await wrongSums(archive, manifest)));
    for (const words of wrong) print(`FAIL ${words}`);
    print(
      wrong.length === 0 ? 'The pack is complete.' : `The pack is NOT complete: ${wrong.length} findings.`,
    );
    return wrong.length === 0;
  } finally {
    archive.close();
  }
}
