// Uploads that are as expensive as possible: none blocks the console or causes an internal error.
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import sharp from 'sharp';
import { beforeAll, expect, it } from 'vitest';
import { zipOf } from '#platform/server/files/zip.ts';
import { spreadsheetType } from '#features/access/users/contract.ts';
import { createTestConsole, type TestConsole } from '../support/console.ts';
import { meteredConsole } from '../support/metered-console.ts';

let console: TestConsole;
let admin: string;
let user: string;
let key: string;
let subject: string;

beforeAll(async () => {
  console = await createTestConsole(new Date('2024-10-05T03:00:00Z'));
  ({
    admin,
    owner: { token: user },
    key,
    subscriptionId: subject,
  } = await meteredConsole(console, {
    dataSchema: { properties: { host: { pattern: String.raw`^(\p{L}+-?){1,63}(\.\p{L}{1,63})*$` } } },
    startedAt: new Date('2024-08-31T16:00:00Z'),
  }));
});

const repetitions = 50_000;
/**
 * Far below what the attacks took (4 to 9 s), far above what one turn of the event loop may take for any
 * request.
 */
const longestTurnMs = 1000;

/**
 * The longest turn of the event loop during `work`, in processor time, which does not depend on the load of
 * the machine.
 */
async function longestBlockMs(work: () => Promise<void>): Promise<number> {
  let longest = 0;
  let last = process.threadCpuUsage();
  const look = (): void => {
    const { user, system } = process.threadCpuUsage(last);
    longest = Math.max(longest, (user + system) / 1000);
    last = process.threadCpuUsage();
  };
  const looking = setInterval(look, 5);
  try {
    await work();
    look();
  } finally {
    clearInterval(looking);
  }
  return longest;
}

type Sent = {
  readonly path: string;
  readonly method?: string;
  readonly type: string;
  readonly token: () => string;
};
let calls = 0;
/** Sends a body and returns the longest turn, during which no other request is answered. */
async function blockMsFor(
  { path, method = 'POST', type, token }: Sent,
  body: string | Buffer,
): Promise<number> {
  calls++;
  return longestBlockMs(async () => {
    const answer = await fetch(`${console.address}/api${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token()}`,
        'content-type': type,
        'x-forwarded-for': `10.0.${calls >> 8}.${calls & 255}`,
      },
      body: typeof body === 'string' ? body : new Uint8Array(body),
    });
    const responseText = await answer.text();
    expect(answer.status, responseText.slice(0, 300)).toBeLessThan(500);
  });
}

/** A text in which one token is repeated often, or some tokens are opened and never closed. */
const repeated = (tokens: readonly string[], most = repetitions): fc.Arbitrary<string> =>
  fc
    .record({
      before: fc.constantFrom('', ...tokens),
      token: fc.oneof(
        fc.constantFrom(...tokens),
        fc.array(fc.constantFrom(...tokens), { minLength: 2, maxLength: 3 }).map((some) => some.join('')),
      ),
      after: fc.constantFrom('', 'x', '1', '\n', ...tokens),
    })
    .map(({ before, token, after }) => before + token.repeat(Math.ceil(most / token.length)) + after);

const runs = 10;
/** The longest turn for any of the values; the first value that takes too long is reported. */
async function longestOf<T>(
  values: fc.Arbitrary<T>,
  examples: readonly T[],
  send: (value: T) => Promise<number>,
): Promise<number> {
  let longest = 0;
  await fc.assert(
    fc.asyncProperty(values, async (value) => {
      longest = Math.max(longest, await send(value));
      expect(longest).toBeLessThan(longestTurnMs);
    }),
    {
      numRuns: runs,
      examples: examples.map((each): [T] => [each]),
      // Shrinking would not find a better example, and each attempt takes seconds.
      endOnFailure: true,
    },
  );
  return longest;
}

const csvTokens = [
  '"',
  '""',
  ',',
  ';',
  '\t',
  '\n',
  '\r',
  '"\n',
  'a,',
  '=',
  "'",
  '(',
  ')',
  ' ',
  '\u3000',
  '0',
  '1.',
];
const asAdmin = () => admin;
const csv = (path: string): Sent => ({ path, type: 'text/csv', token: asAdmin });

it.each([
  ['users', '/admin/users/imports?fileName=x', '姓名,帳號\n'],
  ['services', '/admin/services/import?dryRun=true', 'name,type\n'],
  ['usage in the form of FOCUS', '/admin/imports/focus?fileName=x', 'ChargeCategory,ListCost\n'],
  ['a bank statement', '/admin/bank-statements/inspect', '日期,摘要,支出,存入,餘額\n'],
])('a CSV file of %s', async (_name, path, head) => {
  const blockedMs = await longestOf(
    fc
      .tuple(fc.constantFrom('', head), fc.oneof(repeated(csvTokens, 19_000), repeated(csvTokens, 99_000)))
      .map((parts) => parts.join('')),
    [
      '('.repeat(19_000),
      `${','.repeat(99_000)}\n`.repeat(3),
      '"'.repeat(4_000_001),
      '1,2\n'.repeat(1_000_000),
    ],
    (file) => blockMsFor(csv(path), file),
  );
  expect(blockedMs).toBeLessThan(longestTurnMs);
});

it('a bank statement with long cells', async () => {
  const mapping = encodeURIComponent(
    JSON.stringify({ headerLine: 1, day: 0, description: 1, debit: 2, credit: 3, balance: 4 }),
  );
  const path = `/admin/bank-statements?account=1&currency=USD&mapping=${mapping}`;
  const cell = fc.oneof(
    repeated(['0', '1', ',111', ' ', '\u3000', '(', '-', '.', '年', '/', '民國', 'NT$', 'A'], 19_000),
    fc.constantFrom('', '113/10/04', '5'),
  );
  const blockedMs = await longestOf(
    fc.tuple(cell, fc.constant('x'), cell, cell, cell),
    [
      ['113/10/04', 'x', '', `1.${'0'.repeat(19_000)}1`, ''],
      [`113/10/04${' '.repeat(19_000)}x`, 'x', '', '5', ''],
    ],
    (cells) => {
      const line = cells.map((each) => `"${each.replaceAll('"', '')}"`).join(',');
      return blockMsFor(csv(path), `日期,摘要,支出,存入,餘額\n${`${line}\n`.repeat(20)}`);
    },
  );
  expect(blockedMs).toBeLessThan(longestTurnMs);
});

const parts = [
  'xl/workbook.xml',
  'xl/_rels/workbook.xml.rels',
  'xl/sharedStrings.xml',
  'xl/styles.xml',
  'xl/worksheets/sheet1.xml',
] as const;
type Part = (typeof parts)[number];
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const usual: Readonly<Record<Part, readonly [string, string]>> = {
  'xl/workbook.xml': [
    '<workbook xmlns:r="r"><sheets><sheet name="A" sheetId="1" r:id="rId1"/>',
    '</sheets></workbook>',
  ],
  'xl/_rels/workbook.xml.rels': [
    `<Relationships><Relationship Id="rId1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/>`,
    '</Relationships>',
  ],
  'xl/sharedStrings.xml': ['<sst>', '</sst>'],
  'xl/styles.xml': ['<styleSheet>', '</styleSheet>'],
  'xl/worksheets/sheet1.xml': ['<worksheet><sheetData>', '</sheetData></worksheet>'],
};
/** A workbook in which one part is replaced. */
const workbook = (part: Part, inside: Iterable<string>): Promise<Buffer> =>
  buffer(
    zipOf(
      parts.map((name) => ({
        name,
        content: [usual[name][0], ...(name === part ? inside : []), usual[name][1]],
      })),
    ),
  );
const xlsx: Sent = { path: '/admin/users/imports?fileName=x', type: spreadsheetType, token: asAdmin };
const xmlTokens = [
  '<row>',
  '<row r="1">',
  '<si>',
  '<sheet ',
  '<rPh ',
  '<c>',
  '<c r="A1">',
  '<c r="XFD1048576"><v>1</v></c>',
  '<v>',
  '<t>',
  '</t>',
  '<Relationship ',
  '&amp;',
  '&#x',
  '<!--',
  '<![CDATA[',
  '<?',
  '<!DOCTYPE x [<!ENTITY a "b">',
  'a="',
  '_x0041_',
  '<numFmt formatCode="',
];

it('a workbook', async () => {
  const blockedMs = await longestOf<[Part, string]>(
    fc.tuple(fc.constantFrom(...parts), repeated(xmlTokens, 10 * repetitions)),
    [
      ['xl/worksheets/sheet1.xml', '<row>'.repeat(repetitions)],
      ['xl/sharedStrings.xml', '<si>'.repeat(repetitions)],
      ['xl/workbook.xml', '<sheet '.repeat(repetitions)],
      ['xl/sharedStrings.xml', '<rPh '.repeat(repetitions)],
      ['xl/worksheets/sheet1.xml', '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'],
    ],
    async ([part, inside]) => blockMsFor(xlsx, await workbook(part, [inside])),
  );
  expect(blockedMs).toBeLessThan(longestTurnMs);
});

it('a workbook that is far longer when it is decompressed', async () => {
  const bomb = await workbook(
    'xl/sharedStrings.xml',
    Array.from({ length: 3000 }, () => '<si><t>a</t></si>'.repeat(5000)),
  );
  expect(await blockMsFor(xlsx, bomb)).toBeLessThan(longestTurnMs);
  // The same file with a header that declares a small size.
  const directory = bomb.lastIndexOf(Buffer.from('xl/sharedStrings.xml'));
  bomb.writeUInt32LE(1000, directory - 46 + 24);
  expect(await blockMsFor(xlsx, bomb)).toBeLessThan(longestTurnMs);
});

it('an archive with invalid content', async () => {
  const tokens = ['PK\u0001\u0002', 'PK\u0003\u0004', 'PK\u0005\u0006', 'PK\u0006\u0006', '\0', '\u00ff'];
  const blockedMs = await longestOf(repeated(tokens), [], (text) =>
    blockMsFor(xlsx, Buffer.from(text, 'latin1')),
  );
  expect(blockedMs).toBeLessThan(longestTurnMs);
});

it('a picture', async () => {
  const picture = (type: string): Sent => ({ path: '/user/avatar', method: 'PUT', type, token: () => user });
  const heads = ['\u0089PNG\r\n\u001a\n', '\u00ff\u00d8\u00ff', 'RIFF\u00ff\u00ff\u00ff\u007fWEBPVP8 '];
  const tokens = [
    'IHDR',
    'IDAT',
    'zTXt',
    'iCCP',
    '\u00ff\u00e1',
    '\u00ff\u00da',
    'VP8X',
    'ANMF',
    '\0',
    '<svg>',
  ];
  const blockedMs = await longestOf(
    fc.tuple(fc.constantFrom(...heads), repeated(tokens)).map((all) => Buffer.from(all.join(''), 'latin1')),
    [
      await sharp({ create: { width: 4096, height: 4096, channels: 3, background: '#123456' } })
        .png()
        .toBuffer(),
      await sharp({ create: { width: 16_000, height: 16_000, channels: 3, background: '#123456' } })
        .png()
        .toBuffer(),
    ],
    (bytes) => blockMsFor(picture('image/png'), bytes),
  );
  expect(blockedMs).toBeLessThan(longestTurnMs);
});

const jsonTokens = ['[', '{"a":', '"', '\\', '\\u0000', '[1,', '{"a":1,', '1', '-', '1e', ' ', '"a",'];
/** Nested brackets, closed in the wrong order. */
const nested = fc
  .tuple(
    fc.constantFrom(['[', ']'] as const, ['{"a":', '}'] as const),
    fc.constantFrom(100, 5000, repetitions),
  )
  .map(([[open, close], depth]) => `${open.repeat(depth)}1${close.repeat(depth)}`);

it('an event', async () => {
  const event = (data: string): string =>
    `{"specversion":"1.0","id":"${++calls}","source":"/s","type":"call","subject":"${subject}","time":"2024-09-10T00:00:00Z","data":${data}}`;
  const blockedMs = await longestOf(
    fc.oneof(
      repeated(jsonTokens),
      nested.map(event),
      repeated(jsonTokens).map(event),
      repeated(['a', 'é-', '.', '-']).map((host) => event(JSON.stringify({ value: '1', host }))),
    ),
    [event(JSON.stringify({ value: '1', host: 'é'.repeat(8000) }))],
    (body) =>
      blockMsFor({ path: '/usage/events', type: 'application/cloudevents+json', token: () => key }, body),
  );
  expect(blockedMs).toBeLessThan(longestTurnMs);
});

it('a JSON Schema', async () => {
  const patternTokens = [
    '(',
    '(a',
    '(a+)+',
    '[',
    '[a-',
    '\\\\',
    'a{1000}',
    '(a{9}',
    'a?',
    'a*',
    '|',
    '^',
    '\\p{L}{1000}',
    '(?:',
    '(?=',
  ];
  const schema = (dataSchema: string): string => `{"dataSchema":${dataSchema}}`;
  const ofPattern = (pattern: string): string => schema(JSON.stringify({ pattern }));
  const blockedMs = await longestOf(
    fc.oneof(
      nested.map(schema),
      repeated(jsonTokens).map(schema),
      repeated(patternTokens, 16_000).map(ofPattern),
      repeated(patternTokens, 2000).map(ofPattern),
    ),
    [
      ofPattern('a{1000}'.repeat(200)),
      schema(JSON.stringify({ allOf: Array.from({ length: 300 }, () => ({ pattern: '(\\p{L}?){1000}' })) })),
    ],
    (body) =>
      blockMsFor({ path: '/admin/data-schemas/check', type: 'application/json', token: asAdmin }, body),
  );
  expect(blockedMs).toBeLessThan(longestTurnMs);
});

it('the details of a machine', async () => {
  const order = (machine: string): string => `{"subscriptionId":"${subject}","machine":${machine}}`;
  const blockedMs = await longestOf(
    fc.oneof(
      repeated([...jsonTokens, '\n', '{"hostname":"']).map((text) => order(JSON.stringify(text))),
      nested.map((text) => order(JSON.stringify(text))),
      nested.map(order),
      repeated(jsonTokens).map(order),
    ),
    [
      order(
        JSON.stringify({ hostname: 'a'.repeat(60_000), cpu: '-'.repeat(200), machineId: ' '.repeat(255) }),
      ),
    ],
    (body) => blockMsFor({ path: '/licenses/preview', type: 'application/json', token: asAdmin }, body),
  );
  expect(blockedMs).toBeLessThan(longestTurnMs);
});

it('headers, queries and names', async () => {
  const tokens = [' ', ',', ';', '=', '/', '.', '-', '0', 'a', '%20', 'q=', '\t', 'zh-', '(', '@'];
  const blockedMs = await longestOf(repeated(tokens, 6000), [], async (text) => {
    const plain = text.trim().replaceAll(/[\r\n]/g, '');
    return longestBlockMs(async () => {
      const answers = await Promise.all([
        fetch(`${console.address}/api/admin/users?q=${encodeURIComponent(plain)}`, {
          headers: { authorization: `Bearer ${admin}`, 'accept-language': plain, 'user-agent': `x${plain}` },
        }),
        fetch(`${console.address}/${encodeURI(plain)}`, {
          headers: { cookie: plain, 'if-none-match': plain },
        }),
        fetch(`${console.address}/api/user/login`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ account: plain, password: plain }),
        }),
      ]);
      for (const { status } of answers) expect(status).toBeLessThan(500);
    });
  });
  expect(blockedMs).toBeLessThan(longestTurnMs);
});
