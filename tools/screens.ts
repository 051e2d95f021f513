// Takes pictures of screens: every path in every width, colour scheme and language asked for.
// With --axe each picture is also judged by axe-core; what it finds is printed and makes the run fail.
// node tools/screens.ts --base http://127.0.0.1:5173 --out .screens --paths /,/404 [--widths 1440,375] [--modes light,dark] [--languages zhTW,enUS] [--role Admin]
import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { launchChromium } from './chromium.ts';

const { values } = parseArgs({
  options: {
    base: { type: 'string', default: 'http://127.0.0.1:3000' },
    out: { type: 'string', default: '.screens' },
    paths: { type: 'string', default: '/' },
    widths: { type: 'string', default: '1440,768,375' },
    modes: { type: 'string', default: 'light,dark' },
    languages: { type: 'string', default: 'zhTW,enUS' },
    /** Signs in through the API first: account and password, with a colon between. */
    login: { type: 'string' },
    sidebar: { type: 'boolean', default: false },
    full: { type: 'boolean', default: true },
    axe: { type: 'boolean', default: false },
  },
});
const heights: Record<string, number> = { 1440: 900, 768: 1024, 375: 812 };
const list = (text: string) => text.split(',');
const axe = values.axe ? await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8') : '';
const rules = "{ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }";
let found = 0;

await mkdir(values.out, { recursive: true });
const browser = await launchChromium();
try {
  for (const width of list(values.widths)) {
    for (const mode of list(values.modes)) {
      for (const language of list(values.languages)) {
        const context = await browser.newContext({ viewport: { width: Number(width), height: heights[width] ?? 900 }, baseURL: values.base, hasTouch: Number(width) < 600 });
        await context.addInitScript(
          ([theme, lang, sidebar]) => {
            localStorage.setItem('themeStore', theme ?? 'light');
            localStorage.setItem('language', lang ?? 'zhTW');
            localStorage.setItem('layoutStore', JSON.stringify({ state: { sidebarShow: sidebar === 'true' }, version: 0 }));
          },
          [mode, language, String(values.sidebar)],
        );
        const page = await context.newPage();
        page.on('pageerror', (error) => console.error(`  ! ${error.message}`));
        page.on('console', (message) => message.type() === 'error' && console.error(`  ! ${message.text()}`));
        if (values.login) await signIn(values.login);
        for (const where of list(values.paths)) {
          await page.goto(where, { waitUntil: 'networkidle' });
          const wide = await page.evaluate<boolean>('document.documentElement.scrollWidth > document.documentElement.clientWidth');
          const file = `${where.replace(/[^a-z0-9]+/gi, '-').replace(/^-|-$/g, '') || 'home'}-${width}-${mode}-${language}.png`;
          await page.screenshot({ path: path.join(values.out, file), fullPage: values.full });
          console.log(`${file}${wide ? '  SCROLLS SIDEWAYS' : ''}`);
          if (values.axe) {
            // Evaluated from outside the page, so its content security policy stays as it is.
            await page.evaluate(axe);
            const problems = await page.evaluate<string[]>(`axe.run(document, ${rules}).then((r) => r.violations.map((v) => v.id + ': ' + v.nodes.map((n) => n.target.join(' ') + ' ' + (n.any[0]?.message ?? n.all[0]?.message ?? n.none[0]?.message ?? '')).slice(0, 4).join(' | ')))`);
            for (const problem of problems) console.log(`  axe ${problem}`);
            found += problems.length;
          }
        }
        await context.close();

        async function signIn(login: string): Promise<void> {
          const [account = '', ...password] = login.split(':');
          const answer = await context.request.post('/api/user/login', { data: { account, password: password.join(':') } });
          if (!answer.ok()) throw new Error(`Sign-in failed: ${answer.status()} ${await answer.text()}`);
        }
      }
    }
  }
} finally {
  await browser.close();
}
if (found > 0) process.exitCode = 1;
