// `npm run clients`: regenerates the Python or Go client from the contracts.
//   node tools/clients.ts --language python|go --out FOLDER [--features billing,subscriptions]
// Needs Java 11 or newer. The generator is installed into sdk/generator the first time.
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { everyFeature } from '#app/every-feature.ts';
import { apiDocument } from '#app/api-document.ts';
import { documentForGenerators, type Document } from './clients-document.ts';
import { npm } from './npm.ts';

const sdk = resolve(import.meta.dirname, '../sdk');
const generator = join(sdk, 'generator');
const { values: asked } = parseArgs({
  options: {
    language: { type: 'string' },
    out: { type: 'string' },
    features: { type: 'string', default: '' },
  },
});

/**
 * Files that the generator adds to a client for publishing it on GitHub. Its README requires libraries that
 * the client does not need.
 */
const leftOver = [
  '.gitignore',
  '.gitlab-ci.yml',
  '.openapi-generator',
  '.openapi-generator-ignore',
  '.travis.yml',
  'api',
  'git_push.sh',
  'go.sum',
  'test-requirements.txt',
  'tox.ini',
];

/** Exits with an error message. */
function refuse(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}

/**
 * Removes the part of a text from `start` up to `end`. Fails if it is missing, because then the generator's
 * version is untested.
 */
function without(text: string, start: string, end: string): string {
  const from = text.indexOf(start);
  const to = text.indexOf(end, from);
  if (from < 0 || to < 0) throw new Error(`The generated client does not hold ${JSON.stringify(start)}.`);
  return text.slice(0, from) + text.slice(to);
}

/**
 * Makes the Go client a module without dependencies: it only requires a library for OAuth tokens, which the
 * console does not use.
 */
function finishGo(folder: string): void {
  const file = join(folder, 'client.go');
  const whole = readFileSync(file, 'utf8');
  const withoutOAuth = without(whole, '\t\t// OAuth2 authentication', '\t\t// Basic HTTP Authentication');
  writeFileSync(file, without(withoutOAuth, '\n\t"golang.org/x/oauth2"\n', ')\n'));
  writeFileSync(join(folder, 'go.mod'), 'module skytally\n\ngo 1.13\n');
}

type Language = { readonly generator: string; readonly finish: (folder: string) => void };
const languages: Readonly<Record<string, Language>> = {
  // The later `go` generator; the one called `go` in this version supports neither null nor optional fields.
  go: { generator: 'go-experimental', finish: finishGo },
  python: { generator: 'python', finish: () => undefined },
};
const { language = '', out = '' } = asked;
const chosen = languages[language];
if (chosen === undefined || out === '')
  refuse('npm run clients -- --language python|go --out FOLDER [--features billing,subscriptions]');

// Only the contracts are read, so no running console is needed.
const features = everyFeature({ jobs: () => [], kinds: () => [] });
const wanted = asked.features.split(',').filter((name) => name !== '');
const names = features.map(({ name }) => name);
const unknown = wanted.filter((name) => !names.includes(name));
if (unknown.length > 0) refuse(`No feature is called ${unknown.join(', ')}. There are: ${names.join(', ')}.`);
// Through JSON, as a client receives it, which drops undefined values.
const document: Document = JSON.parse(JSON.stringify(await apiDocument(features, '3.0')));

const jar = join(generator, 'node_modules/@openapitools/openapi-generator-cli/bin/openapi-generator.jar');
if (!existsSync(jar)) npm(generator, 'ci', '--no-audit', '--no-fund');

const work = mkdtempSync(join(tmpdir(), 'skytally-clients-'));
try {
  const input = join(work, 'openapi.json');
  writeFileSync(input, JSON.stringify(documentForGenerators(document, wanted)));
  mkdirSync(out, { recursive: true });
  execFileSync(
    'java',
    [
      // The generator compares each name with all others, and by default caches only 500 of them; this takes
      // 8 s instead of 70 s.
      '-Dorg.openapitools.codegen.utils.namecache.cachesize=100000',
      '-Dorg.openapitools.codegen.utils.namecache.expireafter.seconds=3600',
      '-XX:+UseSerialGC',
      '-XX:TieredStopAtLevel=1',
      '-jar',
      jar,
      'generate',
      '--generator-name',
      chosen.generator,
      '--input-spec',
      input,
      '--config',
      join(sdk, language, 'openapi-generator.yaml'),
      '--output',
      resolve(out),
      '--global-property',
      'models,apis,supportingFiles,modelDocs=false,apiDocs=false,modelTests=false,apiTests=false',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'], maxBuffer: 100_000_000 },
  );
  for (const file of leftOver) rmSync(join(out, file), { recursive: true, force: true });
  copyFileSync(join(sdk, language, 'README.md'), join(out, 'README.md'));
  chosen.finish(resolve(out));
} finally {
  rmSync(work, { recursive: true, force: true });
}
