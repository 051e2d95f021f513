// Reads what the language check needs: sentences from locales/ folders, and keys and visible text from the
// code.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Expression, type JSXElement, type ObjectExpression, parseSync, Visitor } from 'oxc-parser';
import { contentLanguages, type ContentLanguage } from '#kernel/language.ts';
import { hasChinese } from './locales-chinese.ts';

/** One sentence; `home` is its locales folder. `text` is null when the value is not a string literal. */
export type Sentence = {
  readonly home: string;
  readonly file: string;
  readonly line: number;
  readonly language: ContentLanguage;
  readonly key: string;
  readonly text: string | null;
};
export type Spot = { readonly file: string; readonly line: number; readonly text: string };

export type Reading = {
  readonly sentences: readonly Sentence[];
  /** Every string in the code outside locales and tests: a key that is not among them is unused. */
  readonly words: ReadonlySet<string>;
  /** Keys that must exist: `t('x.y')`, `i18nKey="x.y"`, `{ code: 'x.y' }` and the codes of error tables. */
  readonly requiredKeys: readonly Spot[];
  /** `// used as: 'billing.state.*'` */
  readonly patterns: readonly Spot[];
  /** Sentences hard-coded instead of being in locales. */
  readonly hardCoded: readonly Spot[];
};

// Exceptions: formats write 年, 月 and 萬 between numbers; demo data is in the customers' own words; statutory
// documents are Chinese in every language; the English version of a call's Chinese title is in its contract.
const mayHoldChinese =
  /^src\/(platform\/web\/format|kernel\/language|app\/(seed|demo|console\/call-titles)|features\/receivables\/einvoices\/rules-words)[^/]*(\/|\.ts$)/;
const visibleAttributes = new Set([
  'aria-label',
  'aria-description',
  'aria-roledescription',
  'aria-valuetext',
  'alt',
  'title',
  'placeholder',
  'label',
  'helperText',
  'tooltip',
  'lead',
  'hint',
  'confirmLabel',
  'primary',
  'secondary',
]);
const toastCalls = new Set(['success', 'info', 'error', 'progress', 'alert']);
const toastTones = new Set(['success', 'info', 'error', 'warning']);
const verbatimElements = new Set(['code', 'kbd', 'pre', 'samp']);

/** Reads all of `src/**` below `root`. */
export function readTexts(root: string): Reading {
  const reading = {
    sentences: [] as Sentence[],
    words: new Set<string>(),
    requiredKeys: [] as Spot[],
    patterns: [] as Spot[],
    hardCoded: [] as Spot[],
  };
  for (const found of globSync('src/**/*.{ts,tsx}', { cwd: root }).toSorted()) {
    const file = found.split(path.sep).join('/');
    if (/\.test\.tsx?$/.test(file)) continue;
    const text = readFileSync(path.join(root, file), 'utf8');
    const parsed = parseSync(file, text);
    const lineAt = (offset: number): number => text.slice(0, offset).split('\n').length;
    for (const comment of parsed.comments) {
      const pattern = /used as:\s*(.+)/.exec(comment.value)?.[1] ?? '';
      for (const match of pattern.matchAll(/'([^']+)'/g))
        reading.patterns.push({ file, line: lineAt(comment.start), text: match[1] ?? '' });
    }
    if (file.includes('/locales/')) reading.sentences.push(...sentencesOf(file, parsed.program, lineAt));
    else readCode(file, parsed.program, lineAt, reading);
  }
  return reading;
}

type Program = Parameters<Visitor['visit']>[0];

function sentencesOf(
  file: string,
  program: Program,
  lineAt: (offset: number) => number,
): readonly Sentence[] {
  const sentences: Sentence[] = [];
  const home = file.slice(0, file.indexOf('/locales/') + '/locales'.length);
  const take = (name: string | null, value: Expression | null): void => {
    const language = contentLanguages.find((one) => one === name);
    const table = value === null ? null : unwrap(value);
    if (language === undefined || table?.type !== 'ObjectExpression') return;
    for (const [key, text, start] of entriesOf(table))
      sentences.push({ home, file, line: lineAt(start), language, key, text });
  };
  new Visitor({
    VariableDeclarator(node) {
      take(node.id.type === 'Identifier' ? node.id.name : null, node.init);
    },
    Property(node) {
      take(keyOf(node.key), isExpression(node.value) ? node.value : null);
    },
  }).visit(program);
  return sentences;
}

function entriesOf(
  table: ObjectExpression,
): readonly (readonly [key: string, text: string | null, start: number])[] {
  return table.properties.flatMap((one) => {
    const key = one.type === 'Property' ? keyOf(one.key) : null;
    return one.type === 'Property' && key !== null ? [[key, plainText(one.value), one.start] as const] : [];
  });
}

type Node = { readonly type: string };

function isExpression(node: Node): node is Expression {
  return !node.type.endsWith('Pattern');
}

function keyOf(node: Node): string | null {
  if (node.type === 'Identifier' && 'name' in node) return String(node.name);
  return node.type === 'Literal' && 'value' in node ? String(node.value) : null;
}

function unwrap(node: Expression): Expression {
  return node.type === 'TSSatisfiesExpression' ||
    node.type === 'TSAsExpression' ||
    node.type === 'ParenthesizedExpression'
    ? unwrap(node.expression)
    : node;
}

function plainText(node: Expression): string | null {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node.type === 'TemplateLiteral' && node.expressions.length === 0)
    return node.quasis[0]?.value.cooked ?? null;
  if (node.type !== 'BinaryExpression' || node.operator !== '+') return null;
  const [left, right] = [plainText(node.left), plainText(node.right)];
  return left === null || right === null ? null : left + right;
}

/**
 * The texts in an expression that people may see: string literals, the static parts of a template, and both
 * branches of a conditional.
 */
function readable(node: Expression): readonly string[] {
  if (node.type === 'ConditionalExpression')
    return [...readable(node.consequent), ...readable(node.alternate)];
  if (node.type === 'LogicalExpression') return readable(node.right);
  if (node.type === 'TemplateLiteral')
    return [node.quasis.map((part) => part.value.cooked ?? '').join(' … ')];
  const text = plainText(node);
  return text === null ? [] : [text];
}

type Draft = { readonly words: Set<string>; readonly requiredKeys: Spot[]; readonly hardCoded: Spot[] };

function readCode(file: string, program: Program, lineAt: (offset: number) => number, into: Draft): void {
  const spot = (list: Spot[], text: string, start: number): void => {
    list.push({ file, line: lineAt(start), text: text.trim() });
  };
  const word = (text: string, start: number): void => {
    into.words.add(text);
    if (hasChinese(text) && !mayHoldChinese.test(file)) spot(into.hardCoded, text, start);
  };
  // The enclosing nodes, innermost last. Chinese is already reported by `word`.
  const around: ('text' | 'verbatim' | 'attribute')[] = [];
  const visible = (text: string, start: number): void => {
    if (/\p{L}/u.test(text) && !hasChinese(text) && !around.includes('verbatim'))
      spot(into.hardCoded, text, start);
  };
  new Visitor({
    Literal(node) {
      if (typeof node.value === 'string') word(node.value, node.start);
    },
    TemplateElement(node) {
      word(node.value.cooked ?? '', node.start);
    },
    CallExpression(node) {
      const key = node.arguments[0];
      const text =
        key !== undefined && key.type !== 'SpreadElement' && isTranslator(node.callee)
          ? plainText(key)
          : null;
      if (text !== null) spot(into.requiredKeys, text, node.start);
      if (isToast(node.callee))
        for (const one of node.arguments)
          if (one.type !== 'SpreadElement')
            for (const literal of readable(one))
              if (/\p{L}\p{L}/u.test(literal) && !toastTones.has(literal))
                spot(into.hardCoded, literal, one.start);
    },
    Property(node) {
      if (keyOf(node.key) === 'code' && isExpression(node.value))
        for (const code of readable(node.value))
          if (/^[a-z]+(\.[a-z_]+)+$/.test(code)) spot(into.requiredKeys, code, node.start);
    },
    TSSatisfiesExpression(node) {
      const type = node.typeAnnotation;
      if (type.type !== 'TSTypeReference' || keyOf(type.typeName) !== 'ErrorTable') return;
      const table = unwrap(node.expression);
      if (table.type === 'ObjectExpression')
        for (const [key, , start] of entriesOf(table)) spot(into.requiredKeys, key, start);
    },
    JSXElement(node) {
      around.push(verbatimElements.has(nameOfElement(node)) ? 'verbatim' : 'text');
    },
    'JSXElement:exit'() {
      around.pop();
    },
    JSXFragment() {
      around.push('text');
    },
    'JSXFragment:exit'() {
      around.pop();
    },
    JSXText(node) {
      word(node.value, node.start);
      visible(node.value, node.start);
    },
    JSXExpressionContainer(node) {
      if (node.expression.type !== 'JSXEmptyExpression' && around.at(-1) !== 'attribute')
        for (const text of readable(node.expression)) visible(text, node.start);
    },
    JSXAttribute(node) {
      around.push('attribute');
      const name = node.name.type === 'JSXIdentifier' ? node.name.name : '';
      const value = node.value?.type === 'JSXExpressionContainer' ? node.value.expression : node.value;
      if (
        value === null ||
        value.type === 'JSXEmptyExpression' ||
        value.type === 'JSXElement' ||
        value.type === 'JSXFragment'
      )
        return;
      for (const text of readable(value)) {
        if (name === 'i18nKey') spot(into.requiredKeys, text, node.start);
        if (visibleAttributes.has(name)) visible(text, node.start);
      }
    },
    'JSXAttribute:exit'() {
      around.pop();
    },
  }).visit(program);
}

function isTranslator(callee: Expression): boolean {
  return callee.type === 'MemberExpression'
    ? keyOf(callee.property) === 't'
    : callee.type === 'Identifier' && callee.name === 't';
}

/** `toast.success(…)` and similar calls. */
function isToast(callee: Expression): boolean {
  return (
    callee.type === 'MemberExpression' &&
    keyOf(callee.object) === 'toast' &&
    toastCalls.has(keyOf(callee.property) ?? '')
  );
}

function nameOfElement(node: JSXElement): string {
  return node.openingElement.name.type === 'JSXIdentifier' ? node.openingElement.name.name : '';
}
