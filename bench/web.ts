// `npm run bench:web [-- --only login,usage,interactions --rounds 3 --first]`: Lighthouse on phone and desktop, code
// of each route, calls of each page, and its response to input on a processor four times slower. With
// simulated throttling and one machine, quote medians of rounds. Pages are measured as somebody sees them who has been
// there, with code and texts in the browser; `--first`: as the very first visitor, who has nothing of them.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import type { BrowserContext } from '@playwright/test';
import { fillConsole, people } from '#tests/support/browser/filled-console.ts';
import { startJourney, type Journey } from '#tests/support/browser/journey.ts';
import { ensureWebBuild } from '../src/platform/server/http/web-build.ts';
import { launchProfile } from '../tools/chromium.ts';
import { median, print } from './figures.ts';
import { interactions } from './web-hands.ts';
import { loadOf } from './web-load.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    rounds: { type: 'string', default: '1' },
    first: { type: 'boolean', default: false },
  },
});
const rounds = Number(values.rounds);
const port = 9333;
/** What `--first` empties together with the browser's cache: what is left of earlier visits is the session's cookie. */
const besidesTheCache = ['file_systems', 'shader_cache', 'service_workers', 'cache_storage', 'local_storage'];

type Score = { readonly score: number | null };
type Audit = { readonly numericValue?: number };
type Report = {
  readonly categories: Record<string, Score>;
  readonly audits: Record<string, Audit>;
  readonly runtimeError?: { readonly message: string };
};
type Lighthouse = {
  readonly default: (url: string, flags: object, config?: object) => Promise<{ readonly lhr: Report }>;
  readonly desktopConfig: object;
};

/**
 * Lighthouse takes 176 MB and no test needs it, so it is installed into a folder of its own at its first use.
 */
async function lighthouse(): Promise<Lighthouse> {
  const folder = resolve(import.meta.dirname, '../.lighthouse');
  if (!existsSync(join(folder, 'node_modules/lighthouse')))
    execFileSync(
      'npm',
      ['install', '--prefix', folder, 'lighthouse@13.5.0', '--no-audit', '--no-fund', '--ignore-scripts'],
      { stdio: 'ignore' },
    );
  return (await import(
    pathToFileURL(join(folder, 'node_modules/lighthouse/core/index.js')).href
  )) as Lighthouse;
}

type Kind = 'public' | 'signed-in';
type Route = { readonly name: string; readonly path: string; readonly who?: keyof typeof people };
const routes: readonly Route[] = [
  { name: 'home', path: '/' },
  { name: 'login', path: '/login' },
  { name: 'register', path: '/register' },
  { name: 'user-dashboard', path: '/user/dashboard', who: 'User' },
  { name: 'overview', path: '/service/overview', who: 'User' },
  { name: 'subscriptions', path: '/cloud-service/management', who: 'User' },
  { name: 'billing-dashboard', path: '/billing/dashboard', who: 'User' },
  { name: 'usage', path: '/usage/statistics', who: 'User' },
  { name: 'bills', path: '/billing/management', who: 'User' },
  { name: 'notifications', path: '/user/notifications', who: 'User' },
  { name: 'profile', path: '/user/profile', who: 'User' },
  { name: 'admin-dashboard', path: '/admin/dashboard', who: 'Admin' },
  { name: 'users', path: '/admin/user-management', who: 'Admin' },
  { name: 'admin-billing', path: '/admin/billing', who: 'Admin' },
];
/** performance.md, P14. What a page fetches before it can be used has its budgets in the build; here is all of it, for comparison. */
const goals = {
  public: { performance: 95, largest: 2000, blocking: 100 },
  'signed-in': { performance: 90, largest: 2000, blocking: 100 },
} as const satisfies Record<Kind, object>;

async function audit(at: Lighthouse, address: string, route: Route): Promise<void> {
  const kind: Kind = route.who ? 'signed-in' : 'public';
  const goal = goals[kind];
  const figures: Record<string, number[]> = {};
  const add = (name: string, value: number): void => void (figures[name] ??= []).push(value);
  for (let round = 0; round < rounds; round++) {
    for (const form of ['mobile', 'desktop'] as const) {
      // Cookies, and so the session, are kept in both.
      const { lhr } = await at.default(
        address + route.path,
        {
          port,
          disableStorageReset: !values.first,
          clearStorageTypes: [...besidesTheCache],
          logLevel: 'error',
          onlyCategories: ['performance', 'accessibility', 'best-practices', 'seo'],
        },
        form === 'desktop' ? at.desktopConfig : undefined,
      );
      if (lhr.runtimeError) throw new Error(`${route.name}: ${lhr.runtimeError.message}`);
      for (const [category, { score }] of Object.entries(lhr.categories))
        add(`${form} ${category}`, Math.round((score ?? 0) * 100));
      for (const [name, id] of [
        ['first paint', 'first-contentful-paint'],
        ['largest paint', 'largest-contentful-paint'],
        ['blocking', 'total-blocking-time'],
        ['shift', 'cumulative-layout-shift'],
      ] as const)
        add(`${form} ${name}`, lhr.audits[id]?.numericValue ?? NaN);
    }
  }
  const show = (name: string, unit: string, wanted?: { atLeast?: number; atMost?: number }): void =>
    print(`${route.name}: ${name}`, figures[name] ?? [], unit, wanted);
  show('mobile performance', '', { atLeast: goal.performance });
  show('desktop performance', '', { atLeast: 99 });
  for (const category of ['accessibility', 'best-practices', ...(kind === 'public' ? ['seo'] : [])])
    show(`mobile ${category}`, '', { atLeast: 100 });
  show('mobile first paint', 'ms');
  show('mobile largest paint', 'ms', { atMost: goal.largest });
  show('mobile blocking', 'ms', { atMost: goal.blocking });
  show('mobile shift', '', { atMost: 0.02 });
}

async function loads(context: BrowserContext, address: string, route: Route): Promise<void> {
  const { codeKb, calls, depth, foreign } = await loadOf(context, address + route.path);
  print(`${route.name}: JavaScript, gz`, [codeKb], 'kB');
  print(`${route.name}: API calls / depth`, [calls], `/ ${depth}`, route.who ? { atMost: 3 } : undefined);
  if (foreign.length > 0) process.stdout.write(`  ${route.name}: THIRD PARTIES ${foreign.join(' ')}\n`);
}

async function asVisitor(
  at: Lighthouse,
  journey: Journey,
  who: keyof typeof people | undefined,
): Promise<void> {
  const isWanted = (name: string): boolean => values.only.split(',').some((part) => name.includes(part));
  const wanted = routes.filter((route) => route.who === who && isWanted(route.name));
  const hasHands = who !== undefined && isWanted('interactions');
  if (wanted.length === 0 && !hasHands) return;
  const folder = mkdtempSync(join(tmpdir(), 'skytally-web-'));
  const context = await launchProfile(folder, port);
  try {
    const page = await context.newPage();
    if (who) {
      await journey.signIn(people[who], page);
      // The sign-in sends live messages to open pages; the calls that they cause are not the page's own.
      await page.waitForLoadState('networkidle');
    }
    for (const route of wanted) {
      await loads(context, journey.address, route);
      await audit(at, journey.address, route);
    }
    if (hasHands) {
      const took = await interactions(page, journey.address, who);
      for (const [name, ms] of took)
        process.stdout.write(`    ${String(Math.round(ms)).padStart(5)} ms  ${name}\n`);
      const all = took.map(([, ms]) => ms);
      print(`${who}: worst of ${all.length} interactions, 4 × slower processor`, [Math.max(...all)], 'ms', {
        atMost: 200,
      });
      print(`${who}: median interaction`, [median(all)], 'ms', { atMost: 100 });
    }
  } finally {
    await context.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

await ensureWebBuild({ info: (line: string) => console.log(line) });
const at = await lighthouse();
const journey = await startJourney();
try {
  await fillConsole(journey);
  for (const who of [undefined, 'User', 'Admin'] as const) await asVisitor(at, journey, who);
} finally {
  await journey.end();
}
