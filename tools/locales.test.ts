// Proves that the language check finds each kind of fault, names the key and the position, and accepts good
// sentences. (R-I18N-05)
import { expect, test } from 'vitest';
import { checkTexts } from './locales.ts';
import { type Files, plantTree } from '#tests/support/source-tree.ts';

function bothLanguages(room: string, zh: string, en: string): Files {
  return {
    [`${room}/locales/zhTW.ts`]: `export const zhTW = {\n${zh}\n} as const;\n`,
    [`${room}/locales/enUS.ts`]: `import type { zhTW } from './zhTW.ts';\nexport const enUS = {\n${en}\n} satisfies Record<keyof typeof zhTW, string>;\n`,
  };
}

const good: Files = {
  ...bothLanguages('src/app', "'app.language': '繁體中文',", "'app.language': '繁體中文',"),
  ...bothLanguages(
    'src/platform',
    "'live.lost': '連線中斷，' + '正在重試…',",
    "'live.lost': 'Connection lost, trying again…',",
  ),
  ...bothLanguages(
    'src/features/invoicing/billing',
    "'billing.title': '帳單（{{count}} 筆）',\n'billing.items_other': '{{count}} 筆',\n'billing.state.paid': '已付款',\n'billing.already_paid': 'NT$1,234 已付款。',",
    "'billing.title': 'Bills ({{count}})',\n'billing.items_one': 'one bill',\n'billing.items_other': '{{count}} bills',\n'billing.state.paid': 'Paid',\n'billing.already_paid': 'Already paid: NT$1,234.',",
  ),
  'src/features/invoicing/billing/contract.ts':
    "export const errors = { 'billing.already_paid': 409 } as const satisfies ErrorTable;\n",
  'src/features/invoicing/billing/web/Bills.tsx':
    "export const Bills = () => <><h1 title={t('billing.title')}>{t('billing.items', { count: 1 })}</h1> · <kbd>Ctrl</kbd> {'—'}</>;\n" +
    "// used as: 'billing.state.*'\nexport const state = (s: string) => t(`billing.state.${s}`);\n",
  'src/platform/web/live/live.ts': "export const words = ['live.lost', 'app.language'];\n",
  'src/platform/web/format/format.ts': "export const year = '年';\n",
  'src/platform/web/format/format.test.ts': "export const words = '三月';\n",
  'src/app/seed.ts': "export const customer = '台積電';\n",
};

function complaintsAbout(files: Files): readonly string[] {
  return checkTexts(plantTree({ ...good, ...files })).complaints.map(
    (one) => `${one.file}:${one.line} ${one.what}`,
  );
}

function withSentences(zh: string, en: string): Files {
  return {
    ...bothLanguages('src/features/metering/usage', zh, en),
    'src/features/metering/usage/contract.ts': "export const words = ['usage.a', 'usage.b'];\n",
  };
}

const zhFile = 'src/features/metering/usage/locales/zhTW.ts';
const enFile = 'src/features/metering/usage/locales/enUS.ts';
const halfWidth = 'half-width punctuation beside Chinese: use ，。：；？！（）';

test('good sentences in both languages pass', () => {
  expect(complaintsAbout({})).toEqual([]);
});

test.each([
  [
    'a missing English sentence',
    "'usage.a': '用量',\n'usage.b': '上限',",
    "'usage.a': 'Usage',",
    `${zhFile}:3 usage.b has no enUS sentence in src/features/metering/usage/locales`,
  ],
  [
    'a missing Chinese sentence',
    "'usage.a': '用量',",
    "'usage.a': 'Usage',\n'usage.b': 'Limit',",
    `${enFile}:4 usage.b has no zhTW sentence in src/features/metering/usage/locales`,
  ],
  [
    'other places',
    "'usage.a': '用量 {{used}}',",
    "'usage.a': 'Usage {{limit}}',",
    `${zhFile}:2 usage.a has the places {{used}}, but {{limit}} in enUS`,
  ],
  [
    'a placeholder in the wrong syntax',
    "'usage.a': '用量 {used}',",
    "'usage.a': 'Usage',",
    `${zhFile}:2 usage.a: a place is written {{name}}`,
  ],
  ['an empty sentence', "'usage.a': ' ',", "'usage.a': 'Usage',", `${zhFile}:2 usage.a: is empty`],
  [
    'a computed sentence',
    "'usage.a': words(),",
    "'usage.a': 'Usage',",
    `${zhFile}:2 usage.a: must be plain text in a flat object`,
  ],
  [
    'a duplicate key',
    "'usage.a': '用量',\n'usage.a': '用量',",
    "'usage.a': 'Usage',",
    `${zhFile}:3 usage.a stands in ${zhFile}:2 already`,
  ],
  [
    'Chinese in English',
    "'usage.a': '用量',",
    "'usage.a': '用量',",
    `${enFile}:3 usage.a: Chinese in the English sentence`,
  ],
  [
    'an unused key',
    "'usage.other': '其他',",
    "'usage.other': 'Other',",
    `${enFile}:3 usage.other is used nowhere (put together at run time? say // used as: 'usage.*' there)`,
  ],
  [
    'a key without a dot',
    "'usage': '用量',",
    "'usage': 'Usage',",
    `${zhFile}:2 usage: a key is dotted, like 'billing.already_paid'`,
  ],
])('finds %s', (_what, zh, en, complaint) => {
  expect(complaintsAbout(withSentences(zh, en))).toContain(complaint);
});

test.each([
  ['a mainland word', '用戶', '用戶 is not what Taiwan says (glossary: CONTRIBUTING.md)'],
  ['simplified characters', '用户数量', 'simplified characters: 户 数'],
  ['a half-width comma', '用量,上限', halfWidth],
  ['a half-width bracket after a space', '用量 (GB)', halfWidth],
  ['a half-width full stop', '用量上限 100 GB.', halfWidth],
  ['a space after a date', '{{day}} 起', 'no space between a day and the Chinese after it'],
  ['three dots', '載入中...', 'write … instead of ...'],
])('finds %s', (_what, sentence, complaint) => {
  const places = sentence.startsWith('{{') ? '{{day}}' : '';
  const files = withSentences(`'usage.a': '${sentence}',`, `'usage.a': 'Usage ${places}',`);
  expect(complaintsAbout(files)).toContain(`${zhFile}:2 usage.a: ${complaint}`);
});

test.each([
  ['in JSX', '<p>\n  Welcome\n</p>', 'Welcome'],
  ['in braces', "<p>{'Welcome'}</p>", 'Welcome'],
  ['in an attribute', '<p aria-label="Welcome" data-x="yes" />', 'Welcome'],
  ['in an attribute in braces', "<p title={'Welcome'} />", 'Welcome'],
  ['in a placeholder', '<input placeholder="Welcome" />', 'Welcome'],
  ['beside a place in an attribute', '<p aria-label={`Welcome ${name}`} />', 'Welcome  …'],
  ['in one branch of a condition', "<p title={isNew ? 'Welcome' : t('billing.title')} />", 'Welcome'],
  ['as the fallback of a name', "<p aria-label={name ?? 'Welcome'} />", 'Welcome'],
  ['beside a place', '<p>{`Welcome ${name}`}</p>', 'Welcome  …'],
  ['in a toast', "toast.success('Welcome')", 'Welcome'],
  ['in a live message', "toast.alert('warning', `Welcome ${name}`)", 'Welcome  …'],
])('finds English %s', (_where, code, found) => {
  expect(complaintsAbout({ 'src/app/web/Home.tsx': `export const home = () => ${code};\n` })).toEqual([
    `src/app/web/Home.tsx:1 "${found}" is written into the code: it belongs into locales/zhTW.ts and enUS.ts`,
  ]);
});

test.each([
  [
    'a key without a sentence',
    'src/features/invoicing/billing/web/Other.tsx',
    "export const a = i18n.t('billing.gone');\n",
    'src/features/invoicing/billing/web/Other.tsx:1 billing.gone has no sentence',
  ],
  [
    'an error code without a sentence',
    'src/features/invoicing/billing/contract-more.ts',
    "export const more = { 'billing.gone': 409 } satisfies ErrorTable;\n",
    'src/features/invoicing/billing/contract-more.ts:1 billing.gone has no sentence',
  ],
  [
    'a field code without a sentence',
    'src/features/invoicing/billing/server/check.ts',
    "export const wrong = { code: x ? 'billing.title' : 'billing.gone' };\n",
    'src/features/invoicing/billing/server/check.ts:1 billing.gone has no sentence',
  ],
  [
    'a pattern that fits nothing',
    'src/features/invoicing/billing/web/Other.tsx',
    "// used as: 'billing.gone.*'\n",
    "src/features/invoicing/billing/web/Other.tsx:1 used as 'billing.gone.*' fits no key",
  ],
  [
    'Chinese in the code',
    'src/features/invoicing/billing/server/mail.ts',
    'export const subject = `您的帳單`;\n',
    'src/features/invoicing/billing/server/mail.ts:1 "您的帳單" is written into the code: it belongs into locales/zhTW.ts and enUS.ts',
  ],
])('finds %s', (_what, file, text, complaint) => {
  expect(complaintsAbout({ [file]: text })).toEqual([complaint]);
});

test('a feature without texts is reported', () => {
  expect(complaintsAbout({ 'src/features/metering/usage/contract.ts': '' })).toEqual([
    'src/features/metering/usage/locales/zhTW.ts:1 is missing: every feature, the app and the platform speak both languages',
    'src/features/metering/usage/locales/enUS.ts:1 is missing: every feature, the app and the platform speak both languages',
  ]);
});

test('doubtful words are warnings, not errors', () => {
  const { complaints, doubts } = checkTexts(
    plantTree({ ...good, ...withSentences("'usage.a': '點擊查看',", "'usage.a': 'Look',") }),
  );
  expect(complaints).toEqual([]);
  expect(doubts.map((one) => one.what)).toEqual(['usage.a: 點擊: is there a better word?']);
});
