// Reads every source file of a tree once and reports its imports and the habits the house has rules about.
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Expression, parseSync, type Program, Visitor } from 'oxc-parser';

export type ImportKind = 'value' | 'type' | 'dynamic' | 're-export';

/** One import of one file: `to` is a path below the root when the target is ours, null when it is a package or a node module. */
export type Import = {
  readonly specifier: string;
  readonly kind: ImportKind;
  readonly line: number;
  readonly to: string | null;
};

/** Something a file does that only some files may do. */
export type Habit = {
  readonly what: 'environment' | 'clock' | 'chance' | 'sql';
  readonly text: string;
  readonly line: number;
};

export type SourceFile = {
  readonly path: string;
  readonly lines: number;
  readonly imports: readonly Import[];
  readonly habits: readonly Habit[];
  readonly isBarrel: boolean;
  readonly isGenerated: boolean;
  readonly errors: readonly string[];
};

export type Tree = {
  readonly root: string;
  readonly files: readonly SourceFile[];
  readonly columns: readonly string[];
};

const queryBuilders = new Set([
  'selectFrom',
  'insertInto',
  'updateTable',
  'deleteFrom',
  'replaceInto',
  'mergeInto',
]);

/** Reads `src/**` below `root`, in alphabetical order, and the column order from `src/app/columns.ts`. */
export function readTree(root: string): Tree {
  const found = globSync('src/**/*.{ts,tsx}', { cwd: root }).map((file) => file.split(path.sep).join('/'));
  const aliases = readAliases(root);
  const files = found.toSorted().map((file) => readFile(root, file, aliases));
  return { root, files, columns: readColumns(root) };
}

function readAliases(root: string): ReadonlyMap<string, string> {
  const manifest: { imports?: Record<string, string> } = JSON.parse(
    readFileSync(path.join(root, 'package.json'), 'utf8'),
  );
  return new Map(
    Object.entries(manifest.imports ?? {}).map(([from, to]) => [
      from.replace('*', ''),
      to.replace('./', '').replace('*', ''),
    ]),
  );
}

// Read as text, not imported: the checker must be able to look at a tree that does not run.
function readColumns(root: string): readonly string[] {
  const file = path.join(root, 'src/app/columns.ts');
  if (!existsSync(file)) throw new Error('src/app/columns.ts is missing: it holds the order of the columns');
  const list = /columns\s*=\s*\[([^\]]*)\]/.exec(readFileSync(file, 'utf8'))?.[1];
  if (list === undefined) throw new Error('src/app/columns.ts holds no `columns = [...]`');
  return [...list.matchAll(/['"]([^'"]+)['"]/g)].map((match) => match[1] ?? '');
}

function readFile(root: string, file: string, aliases: ReadonlyMap<string, string>): SourceFile {
  const text = readFileSync(path.join(root, file), 'utf8');
  const parsed = parseSync(file, text);
  const lineAt = lineCounter(text);
  const { imports, habits } = walk(parsed.program, lineAt);
  return {
    path: file,
    lines: text === '' ? 0 : text.split('\n').length - (text.endsWith('\n') ? 1 : 0),
    imports: imports.map((found) => ({ ...found, to: resolve(file, found.specifier, aliases) })),
    habits,
    isBarrel: isMostlyReExports(parsed.program),
    isGenerated: /generated/i.test(text.split('\n', 3).join(' ')),
    errors: parsed.errors.map((error) => error.message),
  };
}

function lineCounter(text: string): (offset: number) => number {
  const starts = [0, ...[...text.matchAll(/\n/g)].map((match) => match.index + 1)];
  return (offset) => {
    const after = starts.findIndex((start) => start > offset);
    return after === -1 ? starts.length : after;
  };
}

function resolve(file: string, specifier: string, aliases: ReadonlyMap<string, string>): string | null {
  if (specifier.startsWith('.')) return path.posix.join(path.posix.dirname(file), specifier);
  for (const [from, to] of aliases) if (specifier.startsWith(from)) return to + specifier.slice(from.length);
  return null;
}

type Found = { imports: Omit<Import, 'to'>[]; habits: Habit[] };

function walk(program: Program, lineAt: (offset: number) => number): Found {
  const found: Found = { imports: [], habits: [] };
  const addImport = (specifier: string | null, kind: ImportKind, start: number): void => {
    if (specifier !== null) found.imports.push({ specifier, kind, line: lineAt(start) });
  };
  const addHabit = (what: Habit['what'], text: string, start: number): void => {
    const line = lineAt(start);
    // Twice on one line is one habit.
    if (!found.habits.some((one) => one.line === line && one.text === text))
      found.habits.push({ what, text, line });
  };
  new Visitor({
    ImportDeclaration(node) {
      const typeOnly = node.importKind === 'type';
      addImport(node.source.value, typeOnly ? 'type' : 'value', node.start);
      if (
        /^(node:)?process$/.test(node.source.value) &&
        node.specifiers.some((one) => one.type === 'ImportSpecifier' && nameOf(one.imported) === 'env')
      ) {
        addHabit('environment', 'process.env', node.start);
      }
    },
    ExportAllDeclaration(node) {
      addImport(node.source.value, 're-export', node.start);
    },
    ExportNamedDeclaration(node) {
      addImport(node.source?.value ?? null, 're-export', node.start);
    },
    ImportExpression(node) {
      addImport(literalOf(node.source), 'dynamic', node.start);
    },
    TSImportType(node) {
      addImport(node.source.value, 'type', node.start);
    },
    MemberExpression(node) {
      const name = node.computed ? literalOf(node.property) : nameOf(node.property);
      const owner = ownerOf(node.object);
      if (owner === 'process' && name === 'env') addHabit('environment', 'process.env', node.start);
      if (owner === 'Math' && name === 'random') addHabit('chance', 'Math.random', node.start);
      if (owner === 'Date' && name === 'now') addHabit('clock', 'Date.now', node.start);
      if (owner === 'Temporal' && name === 'Now') addHabit('clock', 'Temporal.Now', node.start);
      if (owner === 'db' && isContextDb(node.object)) addHabit('sql', `ctx.db.${name ?? '…'}`, node.start);
    },
    NewExpression(node) {
      if (ownerOf(node.callee) === 'Date' && node.arguments.length === 0)
        addHabit('clock', 'new Date()', node.start);
    },
    CallExpression(node) {
      if (node.callee.type === 'Identifier' && node.callee.name === 'Date')
        addHabit('clock', 'Date()', node.start);
      if (node.callee.type !== 'MemberExpression') return;
      const name = nameOf(node.callee.property);
      if (name !== null && queryBuilders.has(name)) addHabit('sql', `.${name}(…)`, node.start);
    },
    TaggedTemplateExpression(node) {
      if (node.tag.type === 'Identifier' && node.tag.name === 'sql') addHabit('sql', 'sql`…`', node.start);
    },
  }).visit(program);
  return found;
}

type Named = { readonly type: string; readonly name?: unknown; readonly value?: unknown };

function nameOf(node: Named): string | null {
  if (typeof node.name === 'string') return node.name;
  return typeof node.value === 'string' ? node.value : null;
}

function literalOf(node: Expression | Named): string | null {
  if (node.type === 'Literal' && 'value' in node && typeof node.value === 'string') return node.value;
  if (node.type === 'TemplateLiteral' && 'quasis' in node && node.quasis.length === 1)
    return node.quasis[0]?.value.cooked ?? null;
  return null;
}

/** `process` and `globalThis.process` have the same owner name, and so does `this.process`, which nobody writes. */
function ownerOf(node: Named): string | null {
  if (node.type === 'Identifier') return nameOf(node);
  return node.type === 'MemberExpression' && 'property' in node ? nameOf(node.property as Named) : null;
}

function isContextDb(node: Named): boolean {
  return (
    node.type === 'MemberExpression' &&
    'object' in node &&
    ['ctx', 'context'].includes(ownerOf(node.object as Named) ?? '')
  );
}

// A file that imports only to export again: its own statements do not outnumber the ones it passes on.
function isMostlyReExports(program: Program): boolean {
  const imported = new Set<string>();
  let passedOn = 0;
  let own = 0;
  for (const node of program.body) {
    if (node.type === 'ImportDeclaration') {
      for (const one of node.specifiers) imported.add(one.local.name);
    } else if (node.type === 'ExportAllDeclaration') passedOn += 1;
    else if (node.type === 'ExportNamedDeclaration' && node.declaration === null) {
      if (node.source !== null || node.specifiers.every((one) => imported.has(nameOf(one.local) ?? '')))
        passedOn += 1;
    } else own += 1;
  }
  return passedOn > 0 && passedOn >= own;
}
