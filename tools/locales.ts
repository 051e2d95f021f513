// Checks every sentence that people read: both languages complete, good Chinese, nothing unused, missing or hard-coded.
//   node tools/locales.ts
// A key that is composed at run time is declared where that happens: // used as: 'billing.state.*'
import { contentLanguages, type ContentLanguage, inLanguage, type InBoth } from '#kernel/language.ts';
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { chineseWarnings, chineseErrors, hasChinese } from './locales-chinese.ts';
import { readTexts, type Reading, type Sentence } from './locales-read.ts';

export type Complaint = { readonly file: string; readonly line: number; readonly what: string };

const about = ({ file, line }: Pick<Complaint, 'file' | 'line'>, what: string): Complaint => ({
  file,
  line,
  what,
});

/** Errors and warnings in the tree below `root`. */
export function checkTexts(root: string): {
  readonly complaints: readonly Complaint[];
  readonly doubts: readonly Complaint[];
  readonly keys: number;
} {
  const reading = readTexts(root);
  const keys = new Set(reading.sentences.map((one) => one.key));
  const complaints = [
    ...judgeHomes(root),
    ...judgeTwins(reading.sentences),
    ...reading.sentences.flatMap(judgeSentence),
    ...judgeUse(reading, keys),
    ...reading.hardCoded.map((one) =>
      about(one, `"${one.text}" is written into the code: it belongs into locales/zhTW.ts and enUS.ts`),
    ),
  ];
  const doubts = reading.sentences
    .filter((one) => one.language === 'zhTW')
    .flatMap((one) => chineseWarnings(one.text ?? '').map((what) => about(one, `${one.key}: ${what}`)));
  return { complaints, doubts, keys: keys.size };
}

/** Whether a feature has no calls: only other features use it, and no person reads its texts. */
function isSilent(root: string, folder: string): boolean {
  const entry = path.join(root, folder, 'server/index.ts');
  return existsSync(entry) && !readFileSync(entry, 'utf8').includes('feature(');
}

function judgeHomes(root: string): readonly Complaint[] {
  const folders = [
    'src/app',
    'src/platform',
    ...globSync('src/features/*/*', { cwd: root })
      .map((one) => one.split(path.sep).join('/'))
      .toSorted(),
  ];
  return folders
    .filter((folder) => !isSilent(root, folder))
    .flatMap((folder) =>
      contentLanguages
        .filter((language) => !existsSync(path.join(root, folder, 'locales', `${language}.ts`)))
        .map((language) => ({
          file: `${folder}/locales/${language}.ts`,
          line: 1,
          what: 'is missing: every feature, the app and the platform speak both languages',
        })),
    );
}

// i18next finds `items_one` and `items_other` under `items`; languages differ in how many plural forms they
// need.
function baseOf(key: string): string {
  return key.replace(/_(zero|one|two|few|many|other)$/, '');
}

function judgeTwins(sentences: readonly Sentence[]): readonly Complaint[] {
  const complaints: Complaint[] = [];
  const byLanguage: InBoth<ReadonlyMap<string, Sentence>> = {
    zhTW: indexed('zhTW'),
    enUS: indexed('enUS'),
  };
  function indexed(language: ContentLanguage): ReadonlyMap<string, Sentence> {
    const index = new Map<string, Sentence>();
    const sentenceByKey = new Map<string, Sentence>();
    for (const one of sentences.filter((sentence) => sentence.language === language)) {
      const twin = sentenceByKey.get(one.key);
      if (twin !== undefined)
        complaints.push(about(one, `${one.key} stands in ${twin.file}:${twin.line} already`));
      sentenceByKey.set(one.key, one);
      // Of several plural forms, the last one, `other`, names every placeholder.
      if (!one.key.endsWith('_one') || !index.has(baseOf(one.key))) index.set(baseOf(one.key), one);
    }
    return index;
  }
  for (const [language, other] of [
    ['zhTW', 'enUS'],
    ['enUS', 'zhTW'],
  ] as const) {
    for (const [base, one] of inLanguage(byLanguage, language)) {
      const twin = byLanguage[other].get(base);
      if (twin === undefined || twin.home !== one.home)
        complaints.push(about(one, `${one.key} has no ${other} sentence in ${one.home}`));
      else if (language === 'zhTW' && placesIn(one) !== placesIn(twin)) {
        complaints.push(
          about(
            one,
            `${one.key} has the places ${placesIn(one) || 'none'}, but ${placesIn(twin) || 'none'} in enUS`,
          ),
        );
      }
    }
  }
  return complaints;
}

function placesIn(one: Sentence): string {
  return [...new Set([...(one.text ?? '').matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[0]))]
    .toSorted()
    .join(' ');
}

function judgeSentence(one: Sentence): readonly Complaint[] {
  const complain = (what: string): Complaint => about(one, `${one.key}: ${what}`);
  if (one.text === null) return [complain('must be plain text in a flat object')];
  if (one.text.trim() === '') return [complain('is empty')];
  const problems = [...strayPlaces(one.text)];
  if (!/^[a-z][\w-]*(\.[\w-]+)+$/.test(one.key))
    problems.push("a key is dotted, like 'billing.already_paid'");
  if (one.language === 'zhTW') problems.push(...chineseErrors(one.text));
  // The name of a language is always written in that language.
  else if (hasChinese(one.text) && !/language|zhTW/i.test(one.key))
    problems.push('Chinese in the English sentence');
  return problems.map(complain);
}

function strayPlaces(text: string): readonly string[] {
  return /[{}]/.test(text.replace(/\{\{\w+\}\}/g, '')) ? ['a place is written {{name}}'] : [];
}

function judgeUse(reading: Reading, keys: ReadonlySet<string>): readonly Complaint[] {
  const complaints: Complaint[] = [];
  const bases = new Set([...keys].map(baseOf));
  const patterns = reading.patterns.map((one) => ({ ...one, matches: matcher(one.text) }));
  const reported = new Set<string>();
  for (const one of reading.sentences) {
    const isUsed =
      reading.words.has(one.key) ||
      reading.words.has(baseOf(one.key)) ||
      patterns.some((pattern) => pattern.matches(one.key));
    if (isUsed || reported.has(one.key)) continue;
    reported.add(one.key);
    complaints.push(
      about(
        one,
        `${one.key} is used nowhere (put together at run time? say // used as: '${one.key.replace(/\.[^.]+$/, '.*')}' there)`,
      ),
    );
  }
  for (const one of reading.requiredKeys)
    if (one.text.includes('.') && !keys.has(one.text) && !bases.has(one.text))
      complaints.push(about(one, `${one.text} has no sentence`));
  for (const one of patterns)
    if (![...keys].some((key) => one.matches(key)))
      complaints.push(about(one, `used as '${one.text}' fits no key`));
  return complaints;
}

function matcher(pattern: string): (key: string) => boolean {
  const expression = new RegExp(
    `^${pattern
      .split('*')
      .map((part) => part.replace(/[.\\+?()[\]{}|^$]/g, '\\$&'))
      .join('.*')}$`,
  );
  return (key) => expression.test(key);
}

if (import.meta.main) {
  const { complaints, doubts, keys } = checkTexts(process.cwd());
  const lineOf = (one: Complaint): string => `${one.file}:${one.line}  ${one.what}\n`;
  for (const one of doubts) process.stdout.write(`warning  ${lineOf(one)}`);
  for (const one of complaints) process.stdout.write(lineOf(one));
  process.stdout.write(
    `locales: ${keys} keys in two languages, ${complaints.length} faults, ${doubts.length} warnings\n`,
  );
  process.exitCode = complaints.length === 0 ? 0 : 1;
}
