// Under whose name a page is seen before its code has loaded (tests/invoicing/resellers.test.ts: a reseller’s).
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { administration } from '#features/operations/administration/contract.ts';
import { adminAccount, createTestConsole, setUp, type TestConsole } from '../support/console.ts';

const web = mkdtempSync(join(tmpdir(), 'skytally-test-'));
let console: TestConsole;
let admin: string;
beforeAll(async () => {
  // The places that index.html has for a brand; e2e/routes.e2e.ts sees the real page.
  writeFileSync(
    join(web, 'index.html'),
    '<title>__BRAND_TITLE__</title><script type="application/json" id="brand" nonce="__CSP_NONCE__">__BRAND__</script><i>__BRAND_NAME__</i>',
  );
  console = await createTestConsole(new Date('2024-10-05T03:00:00Z'), {}, undefined, { webDirectory: web });
  admin = await setUp(console);
});
afterAll(() => rmSync(web, { recursive: true, force: true }));

async function page(cookie = ''): Promise<{ title: string; name: string; brand: unknown; html: string }> {
  const answer = await fetch(`${console.address}/user/dashboard`, { headers: { cookie } });
  expect(answer.headers.get('cache-control')).toBe('private, no-cache');
  const html = await answer.text();
  const part = (pattern: RegExp) => pattern.exec(html)?.[1] ?? 'missing';
  return {
    title: part(/<title>(.*)<\/title>/),
    name: part(/<i>(.*)<\/i>/),
    brand: JSON.parse(part(/<script[^>]*>(.*)<\/script>/)),
    html,
  };
}

describe('R-SHELL-17: a page', () => {
  it('has the console’s name as its title, in its bar and for its code, whatever the name contains', async () => {
    await console.ok(
      administration.updateSettings,
      { name: '</script><b>__CSP_NONCE__ & "Co" $1', companyPrefix: '雲端' },
      { token: admin },
    );
    const { title, name, brand, html } = await page();
    const shown = '雲端 &#60;/script&#62;&#60;b&#62;__CSP_NONCE__ &#38; &#34;Co&#34; $1';
    expect([title, name]).toEqual([shown, shown]);
    expect(brand).toEqual({
      name: '</script><b>__CSP_NONCE__ & "Co" $1',
      companyPrefix: '雲端',
      supportEmail: '',
      accent: null,
      logo: null,
    });
    expect(html.match(/<script/g)).toHaveLength(1);
  });

  it('comes without a name when the database does not answer', async () => {
    const signedIn = await fetch(`${console.address}/api/user/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(adminAccount),
    });
    const cookie = signedIn.headers.getSetCookie().find((each) => each.startsWith('session=')) ?? '';
    expect((await page(cookie)).brand).toMatchObject({ companyPrefix: '雲端' });
    await sql`alter table session rename to session_away`.execute(console.app.database.kysely);
    expect(await page(cookie)).toMatchObject({ title: 'System', name: '', brand: null });
    await sql`alter table session_away rename to session`.execute(console.app.database.kysely);
  });
});
