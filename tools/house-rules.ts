// The rules of the house, each a small function that names what it refuses and why.
import { circles, type Graph } from './house-graph.ts';
import type { Habit, Import, SourceFile, Tree } from './house-read.ts';
import { floors, isDoor, isDoorIndex, isTest, pathInColumn, type Place, placeOf } from './house-rooms.ts';

export type Rule =
  | 'unreadable'
  | 'no-room'
  | 'unresolved'
  | 'banned-name'
  | 'barrel'
  | 'too-long'
  | 'climbing'
  | 'sideways'
  | 'side-door'
  | 'own-door'
  | 'impure'
  | 'test-in-product'
  | 'circular'
  | 'environment'
  | 'clock'
  | 'chance'
  | 'sql'
  | 'crowded';

/** `import` is the specifier or the words in the file that broke the rule. */
export type Finding = {
  readonly file: string;
  readonly line: number;
  readonly import: string;
  readonly rule: Rule;
  readonly why: string;
};

/** An import between two files of ours, judged: `rule` is null when it is allowed. */
export type Arrow = { readonly from: string; readonly to: string; readonly rule: Rule | null };

export type Verdict = {
  readonly findings: readonly Finding[];
  readonly warnings: readonly Finding[];
  readonly arrows: readonly Arrow[];
  readonly graph: Graph;
};

const purePackages = new Set(['zod', 'zod/mini', 'big.js', 'temporal-polyfill']);
const bannedNames = new Set(['utils', 'util', 'helpers', 'helper', 'common', 'misc', 'types', 'constants']);
const bannedWords = new Set(['utils', 'util', 'helpers', 'helper', 'misc']);
const budget = { lines: 450, mostLines: 750, imports: 12, columnFiles: 25 } as const;

/** Judges every file and every import of a tree. */
export function judge(tree: Tree): Verdict {
  const findings: Finding[] = [];
  const warnings: Finding[] = [];
  const arrows: Arrow[] = [];
  const known = new Set(tree.files.map((file) => file.path));
  const graph = new Map<string, string[]>();
  for (const file of tree.files) {
    findings.push(...judgeFile(file, tree.columns));
    warnings.push(...warnFile(file));
    if (!isTest(file.path)) graph.set(file.path, []);
    for (const found of file.imports) {
      const finding = judgeImport(file, found, known, tree.columns);
      if (finding !== null) findings.push(finding);
      if (found.to === null || !known.has(found.to)) continue;
      arrows.push({ from: file.path, to: found.to, rule: finding?.rule ?? null });
      if (!isTest(found.to)) graph.get(file.path)?.push(found.to);
    }
  }
  findings.push(...judgeCircles(graph));
  warnings.push(...warnColumns(tree));
  return { findings, warnings, arrows, graph };
}

function judgeFile(file: SourceFile, columns: readonly string[]): readonly Finding[] {
  const findings: Finding[] = [];
  const refuse = (rule: Rule, what: string, why: string, line = 1): void => {
    findings.push({ file: file.path, line, import: what, rule, why });
  };
  for (const error of file.errors) refuse('unreadable', file.path, error);
  const place = placeOf(file.path);
  if (place === null)
    refuse(
      'no-room',
      file.path,
      'the house has no room for this file (architecture: kernel, platform/{server,web,locales}, features/<column>/{contract,rules,locales,server,web}, app)',
    );
  else if (place.column !== null && !columns.includes(place.column))
    refuse('no-room', place.column, 'this column is not in src/app/columns.ts');
  for (const part of file.path.split('/')) {
    const stem = part.split('.')[0] ?? part;
    if (bannedNames.has(stem) || stem.split('-').some((word) => bannedWords.has(word)))
      refuse(
        'banned-name',
        part,
        'name it after what it promises; the word you are looking for is another one',
      );
  }
  const name = file.path.slice(file.path.lastIndexOf('/') + 1);
  if (/^index\.tsx?$/.test(name) && !isDoorIndex(file.path))
    refuse('barrel', name, 'only server/index.ts and web/index.ts of a column are doors');
  else if (file.isBarrel && !isDoor(file.path))
    refuse('barrel', name, 'this file mostly passes on what others export: import the thing itself');
  if (file.lines > budget.mostLines && hasBudget(file))
    refuse('too-long', `${file.lines} lines`, `no file is longer than ${budget.mostLines} lines`);
  for (const habit of file.habits) {
    const why = whyNot(habit, file.path);
    if (why !== null) refuse(habit.what, habit.text, why, habit.line);
  }
  return findings;
}

// Sentences are data and generated files are nobody's reading, so neither has a line budget.
function hasBudget(file: SourceFile): boolean {
  return !file.isGenerated && !file.path.includes('/locales/');
}

function whyNot(habit: Habit, file: string): string | null {
  const test = isTest(file);
  switch (habit.what) {
    case 'chance':
      return 'Math.random is nowhere: ids come from ctx.newId, secrets from node:crypto';
    case 'environment':
      return test || file === 'src/platform/server/config.ts'
        ? null
        : 'only src/platform/server/config.ts reads the environment';
    case 'clock':
      return test || /^src\/platform\/(server|web)\/clock\.ts$/.test(file)
        ? null
        : 'only clock.ts reads the clock: use ctx.now, or take the time as an argument';
    case 'sql':
      return test || mayHoldSql(file)
        ? null
        : 'SQL lives in store.ts (or store-*.ts): give the question a name there';
  }
}

function mayHoldSql(file: string): boolean {
  return (
    /^src\/(features\/[^/]+\/server|app\/[^/]+)\/store[^/]*\.ts$/.test(file) ||
    file.includes('/migrations/') ||
    file.startsWith('src/platform/server/') ||
    /^src\/app\/cli[^/]*(\/|\.ts$)/.test(file)
  );
}

function judgeImport(
  file: SourceFile,
  found: Import,
  known: ReadonlySet<string>,
  columns: readonly string[],
): Finding | null {
  const verdict = judgeTarget(file.path, found, known, columns);
  return verdict === null
    ? null
    : { file: file.path, line: found.line, import: found.specifier, rule: verdict[0], why: verdict[1] };
}

type Refusal = readonly [rule: Rule, why: string];

function judgeTarget(
  from: string,
  found: Import,
  known: ReadonlySet<string>,
  columns: readonly string[],
): Refusal | null {
  const here = placeOf(from);
  if (here === null) return null;
  if (found.to === null) return judgePackage(from, here, found.specifier);
  const there = placeOf(found.to);
  const isCode = !/\.(css|svg|sql|json|png|woff2?)(\?\w+)?$/.test(found.to);
  if (isCode && !known.has(found.to))
    return ['unresolved', 'there is no such file below src/ (write the extension)'];
  if (there === null) return null;
  return (
    judgeTest(from, found.to) ??
    judgeFloors(here, there) ??
    judgeSides(from, here, there) ??
    judgeColumns(from, found.to, here, there, columns)
  );
}

function judgePackage(from: string, here: Place, specifier: string): Refusal | null {
  if (isTest(from)) return null;
  if (here.side === 'pure' && !purePackages.has(specifier))
    return ['impure', `pure files import only pure files and ${[...purePackages].join(', ')}`];
  return here.side === 'web' && specifier.startsWith('node:')
    ? ['sideways', 'the browser has no node modules']
    : null;
}

function judgeTest(from: string, to: string): Refusal | null {
  return isTest(to) && !isTest(from)
    ? ['test-in-product', 'the product never imports a test or a file made for tests']
    : null;
}

function judgeFloors(here: Place, there: Place): Refusal | null {
  return floors.indexOf(there.floor) > floors.indexOf(here.floor)
    ? [
        'climbing',
        `${here.floor} lies below ${there.floor}: down you call, up you leave a socket that the roof plugs in`,
      ]
    : null;
}

function judgeSides(from: string, here: Place, there: Place): Refusal | null {
  if (there.side === 'pure' || here.side === there.side) return null;
  if (here.side !== 'pure')
    return [
      'sideways',
      'web and server never meet: what both know belongs into a contract, rules or the kernel',
    ];
  return isTest(from)
    ? null
    : ['impure', `pure files import only pure files and ${[...purePackages].join(', ')}`];
}

function judgeColumns(
  from: string,
  to: string,
  here: Place,
  there: Place,
  columns: readonly string[],
): Refusal | null {
  if (there.column === null) return null;
  if (here.column === there.column) return judgeInside(from, to, here, there);
  if (here.column !== null && columns.indexOf(there.column) > columns.indexOf(here.column)) {
    return [
      'climbing',
      `${there.column} stands to the right of ${here.column}: a column sees only the columns to its left`,
    ];
  }
  // The roof hands every sentence to the language files, so it alone may reach the locales.
  const isOpen = isDoor(to) || (here.floor === 'app' && there.room.endsWith('/locales'));
  return isOpen
    ? null
    : [
        'side-door',
        `a column is entered by contract.ts, rules.ts, server/index.ts, web/index.ts or web/parts.ts, not by ${pathInColumn(to) ?? to}`,
      ];
}

function judgeInside(from: string, to: string, here: Place, there: Place): Refusal | null {
  if (isTest(from)) return null;
  if (isDoorIndex(to))
    return ['own-door', 'nobody inside a column imports its own door: import the thing itself'];
  const [height, goal] = [heightInColumn(here), heightInColumn(there)];
  if (goal > height) return ['climbing', 'inside a column: web and server ─► rules ─► contract ◄─ locales'];
  return goal === height && here.room !== there.room
    ? ['sideways', 'rules and locales do not know each other']
    : null;
}

function heightInColumn(place: Place): number {
  if (place.room.endsWith('/contract')) return 0;
  return place.side === 'pure' ? 1 : 2;
}

function judgeCircles(graph: Graph): readonly Finding[] {
  return circles(graph).map(({ files, walk }) => ({
    file: walk[0] ?? '',
    line: 1,
    import: walk[1] ?? '',
    rule: 'circular' as const,
    why: `${files.length} files in a circle: ${walk.join(' ─► ')}`,
  }));
}

function warnFile(file: SourceFile): readonly Finding[] {
  const warnings: Finding[] = [];
  const warn = (rule: Rule, what: string, why: string): void => {
    warnings.push({ file: file.path, line: 1, import: what, rule, why });
  };
  if (file.lines > budget.lines && file.lines <= budget.mostLines && hasBudget(file))
    warn('too-long', `${file.lines} lines`, `a file has at most ${budget.lines} lines`);
  const imports = new Set(
    file.imports
      .filter((found) => found.kind !== 'dynamic')
      .map((found) => found.to ?? packageOf(found.specifier)),
  ).size;
  // A door opens one leaf per verb: its imports are its content.
  if (imports > budget.imports && !isTest(file.path) && !isDoorIndex(file.path))
    warn('crowded', `${imports} imports`, `a file has at most ${budget.imports} imports`);
  return warnings;
}

// `@mui/material/Button` and `@mui/material/Box` are two doors of one package.
function packageOf(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

function warnColumns(tree: Tree): readonly Finding[] {
  return tree.columns.flatMap((column) => {
    const count = tree.files.filter(
      (file) => placeOf(file.path)?.column === column && !isTest(file.path),
    ).length;
    const why = `a column has at most ${budget.columnFiles} files before it becomes two neighbours`;
    return count > budget.columnFiles
      ? [{ file: `src/features/${column}`, line: 1, import: `${count} files`, rule: 'crowded' as const, why }]
      : [];
  });
}
