// `npm run screens`: takes pictures of every route of every role, in each width, color scheme and language, and lists their faults.
// It starts its own console on an empty database and fills it; `--base` takes pictures of a running one instead.
import { spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Browser } from '@playwright/test';
import { Command } from 'commander';
import { ensureWebBuild } from '../src/platform/server/http/web-build.ts';
import { fillConsole, people } from '#tests/support/browser/filled-console.ts';
import { startStands } from '#tests/support/browser/stands.ts';
import { startJourney, type Credentials } from '#tests/support/browser/journey.ts';
import { everyVisit, type Visit, type Visitor } from '#tests/support/browser/visits.ts';
import { launchChromium } from './chromium.ts';
import { writePseudoLocale } from './pseudo-locale.ts';
import { albumOf, picturesFile, tableOf } from './screens-album.ts';
import { takePictures, type Looks, type Picture } from './screens-camera.ts';
import { shown, writeGallery } from './screens-gallery.ts';

type Options = {
  readonly out: string;
  readonly only: string;
  readonly widths: string;
  readonly modes: string;
  readonly languages: string;
  readonly sidebar: boolean;
  readonly full: boolean;
  readonly axe?: boolean;
  readonly demo: boolean;
  readonly pseudo: boolean;
  readonly gallery: boolean;
  readonly against?: string;
  readonly most: string;
  readonly base?: string;
  readonly login?: string;
  readonly paths: string;
};

const values = new Command('npm run screens --')
  .description('take pictures of every route of every role, and list their faults')
  .option('--out <folder>', 'where to write the pictures and index.html', '.screens')
  .option(
    '--only <texts>',
    'only pictures whose names contain one of the texts; the names are in the table',
    '',
  )
  .option('--widths <pixels>', 'widths of the window', '1440,768,375,320')
  .option('--modes <modes>', 'color schemes', 'light,dark')
  .option('--languages <languages>', 'languages', 'zhTW,enUS')
  .option('--sidebar', 'with the sidebar open', false)
  .option('--no-full', 'only what the window shows, not whole pages')
  .option('--axe', 'also list what axe finds (without --base, it does so anyway)')
  .option('--no-axe', 'without what axe finds')
  .option('--demo', 'also import the demo data, for long lists', false)
  .option('--pseudo', 'replace English by the pseudo-locale', false)
  .option('--gallery', 'only the pictures of docs/screens, which are written there', false)
  .option(
    '--against <folder>',
    'also list the pictures that differ from those in this folder, in changed/index.html; both runs need the same console and options',
  )
  .option('--most <pixels>', 'by how many pixels they may differ', '200')
  .option('--base <url>', 'pictures of a running console')
  .option('--login <account:password>', 'with --base: sign in first')
  .option('--paths <paths>', 'with --base: what to visit', '/')
  .addHelpText(
    'after',
    `
Examples:
  npm run screens -- --only admin-billing,login --widths 375
  npm run screens -- --against .screens-before
  npm run screens -- --gallery --demo
  npm run screens -- --base http://127.0.0.1:4100 --login 'account:password' --paths /admin/users,/404 --axe`,
  )
  .parse()
  .opts<Options>();

const isWanted = (visit: Pick<Visit, 'name'>): boolean =>
  values.gallery ? visit.name in shown : values.only.split(',').some((part) => visit.name.includes(part));
const looks: Looks = {
  out: values.out,
  widths: values.gallery ? [1440] : values.widths.split(',').map(Number),
  modes: values.modes.split(','),
  languages: values.languages.split(','),
  sidebar: values.sidebar,
  full: values.full && !values.gallery,
  axe: values.axe ?? values.base === undefined,
};

async function ofRunningConsole(address: string): Promise<readonly Picture[]> {
  const browser = await launchChromium();
  const [account = '', ...password] = (values.login ?? '').split(':');
  const visits = values.paths.split(',').map((one): Visit => ({
    name: one.replace(/[^a-z0-9]+/gi, '-').replace(/^-|-$/g, '') || 'home',
    visitor: 'nobody',
    path: one,
  }));
  try {
    return await takePictures({
      browser,
      address,
      visits,
      looks,
      ...(values.login && { who: { account, password: password.join(':') } }),
    });
  } finally {
    await browser.close();
  }
}

async function ofOwnConsole(): Promise<readonly Picture[]> {
  await ensureWebBuild({ info: (line: string) => console.log(line) });
  const wanted = everyVisit().filter(isWanted);
  const pictures = await beforeSetUp();
  const { stands, environment, end } = await startStands();
  const journey = await startJourney(environment, values.pseudo ? writePseudoLocale : undefined);
  try {
    await fillConsole(journey, { demo: values.demo, stands });
    // Two at a time, because a machine has at least two cores.
    for (const pair of [
      ['Admin', 'User'],
      ['ReadOnly', 'nobody'],
    ] as const) {
      pictures.push(
        ...(
          await Promise.all(
            pair.map((visitor) => asVisitor(journey.browser, journey.address, visitor, wanted)),
          )
        ).flat(),
      );
    }
    return pictures;
  } finally {
    await journey.end();
    await end();
  }
}

/** The console right after installation. */
async function beforeSetUp(): Promise<Picture[]> {
  const all: readonly Visit[] = [
    { name: 'new-home', visitor: 'nobody', path: '/' },
    { name: 'new-system-initialization', visitor: 'nobody', path: '' },
  ];
  const visits = all.filter(isWanted);
  if (visits.length === 0) return [];
  const journey = await startJourney();
  const { pathname, search, hash } = new URL(journey.setupAddress);
  try {
    return [
      ...(await takePictures({
        browser: journey.browser,
        address: journey.address,
        visits: visits.map((visit) => ({ ...visit, path: visit.path || pathname + search + hash })),
        looks,
      })),
    ];
  } finally {
    await journey.end();
  }
}

function asVisitor(
  browser: Browser,
  address: string,
  visitor: Visitor,
  wanted: readonly Visit[],
): Promise<readonly Picture[]> {
  const visits = wanted.filter((visit) => visit.visitor === visitor);
  const who: Credentials | undefined = visitor === 'nobody' ? undefined : people[visitor];
  return visits.length === 0
    ? Promise.resolve([])
    : takePictures({ browser, address, visits, looks, ...(who && { who }) });
}

await mkdir(values.out, { recursive: true });
const pictures = values.base === undefined ? await ofOwnConsole() : await ofRunningConsole(values.base);
await writeFile(path.join(values.out, 'index.html'), albumOf(pictures));
if (values.gallery) await writeGallery(values.out, pictures);
console.log(tableOf(pictures));
console.log(`${pictures.length} pictures: ${path.join(values.out, 'index.html')}`);
const files = pictures.map((picture) => picture.file).filter((file) => file !== '');
await writeFile(path.join(values.out, picturesFile), JSON.stringify(files));
if (values.against !== undefined) {
  const { status } = spawnSync(
    process.execPath,
    ['node_modules/@playwright/test/cli.js', 'test', '--config=tools/screens-against.config.ts'],
    {
      cwd: path.resolve(import.meta.dirname, '..'),
      stdio: 'inherit',
      env: {
        ...process.env,
        SCREENS_OUT: path.resolve(values.out),
        SCREENS_AGAINST: path.resolve(values.against),
        SCREENS_MOST: values.most,
      },
    },
  );
  if (status !== 0) process.exitCode = 1;
}
if (pictures.some((picture) => picture.findings.length > 0)) process.exitCode = 1;
