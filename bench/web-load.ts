// What a page transfers when nothing is cached.
import { gzipSync } from 'node:zlib';
import type { BrowserContext, Request } from '@playwright/test';

export type Load = {
  /** All JavaScript until the page is idle, each file compressed with gzip, in kB. */
  readonly codeKb: number;
  readonly calls: number;
  /** The longest chain of API calls of which each began only after the one before was answered. */
  readonly depth: number;
  readonly foreign: readonly string[];
};

export async function loadOf(context: BrowserContext, url: string): Promise<Load> {
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await cdp.send('Network.clearBrowserCache');
  const requests: Request[] = [];
  page.on('request', (request) => requests.push(request));
  await page.goto(url, { waitUntil: 'networkidle' });
  const { origin } = new URL(url);
  const scripts = requests.filter((request) => request.resourceType() === 'script');
  const bodies = await Promise.all(scripts.map(async (request) => (await request.response())?.body()));
  // Calls that every page makes do not count for the page: the session, under whose name the console is seen, the live connection's
  // ticket, and the bell, which asks when the page is complete.
  const own = requests.filter(
    (request) =>
      new URL(request.url()).pathname.startsWith('/api/') &&
      !/\/api\/(user\/session|live\/tickets|system\/(status|brand)|notifications\?limit=5)$/.test(
        request.url(),
      ),
  );
  const spans = own
    .map((request) => request.timing())
    .map(({ startTime, responseEnd }) => ({ from: startTime, to: startTime + Math.max(0, responseEnd) }))
    .sort((a, b) => a.from - b.from);
  const depths: number[] = [];
  for (const [index, span] of spans.entries())
    depths.push(
      1 +
        Math.max(
          0,
          ...spans.slice(0, index).flatMap((before, at) => (before.to <= span.from ? [depths[at] ?? 0] : [])),
        ),
    );
  const foreign = [
    ...new Set(
      requests
        .map((request) => new URL(request.url()))
        .filter((one) => /^https?:$/.test(one.protocol) && one.origin !== origin)
        .map((one) => one.origin),
    ),
  ];
  await page.close();
  return {
    codeKb: bodies.reduce((sum, body) => sum + (body ? gzipSync(body).length : 0), 0) / 1000,
    calls: own.length,
    depth: Math.max(0, ...depths),
    foreign,
  };
}
