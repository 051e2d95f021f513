// A language that comes as a folder: its texts match the console’s, are served and used, and data stored in
// the built-in languages is shown in its fallback (T-LANG).
import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { languageOf } from '#kernel/language.ts';
import { identity } from '#features/access/identity/contract.ts';
import { taxes } from '#features/invoicing/taxes/contract.ts';
import { signin } from '#features/access/signin/contract.ts';
import { languageFolders } from '#app/language-packs.ts';
import { namespaces as served } from '#app/locales/namespaces.ts';
import { builtInConnectionTexts } from '#platform/locales/connection.ts';
import { formatOf } from '#platform/web/format/format.ts';
import { atFileEnd } from '../support/clean-up.ts';
import {
  createTestConsole,
  registerUser,
  setUp,
  userPassword,
  type TestConsole,
} from '../support/console.ts';
import { openMailbox, type Mailbox } from '../support/mail.ts';
import { withLanguageTags } from '../../tools/language-tags.ts';

/** The sentences for a lost connection are not served: they are part of the code, in every language. */
const namespaces = { ...served, connection: builtInConnectionTexts };
const placeholders = (text: string): string[] => [...new Set(text.match(/\{\{[^}]*\}\}/g))].toSorted();
const japanese = languageFolders.find(({ pack }) => pack.code === 'jaJP');

it('T-LANG: a language has its own text for “just now”', () => {
  const language = languageOf(japanese?.pack.tag);
  if (language === undefined) throw new Error('There is no Japanese.');
  const now = new Date('2026-03-05T06:07:00Z');
  expect(formatOf(language, 'Asia/Tokyo').relative(new Date(now.getTime() - 5000), now)).toBe('たった今');
});

describe.each(languageFolders.map((folder) => [folder.pack.code, folder] as const))(
  'T-LANG: the folder %s',
  (_code, { texts }) => {
    it('has no text that the console does not have', () => {
      const unknown = [...texts].flatMap(([namespace, table]) =>
        Object.keys(table).filter(
          (key) => !Object.hasOwn(namespaces[namespace as keyof typeof namespaces]?.enUS ?? {}, key),
        ),
      );
      expect(unknown).toEqual([]);
    });
    it('has the same placeholders as the original texts', () => {
      const wrong = [...texts].flatMap(([namespace, table]) => {
        const original = namespaces[namespace as keyof typeof namespaces];
        const [english, chinese]: readonly Readonly<Record<string, string>>[] = [
          original.enUS,
          original.zhTW,
        ];
        return Object.entries(table).filter(([key, text]) => {
          const own = placeholders(text).join();
          return (
            own !== placeholders(english?.[key] ?? '').join() &&
            own !== placeholders(chinese?.[key] ?? '').join()
          );
        });
      });
      expect(wrong).toEqual([]);
    });
  },
);

it.each(languageFolders.map(({ pack, texts }) => [pack.code, texts] as const))(
  'T-LANG: %s says what happens without a connection, which nothing can be loaded for then',
  (_code, texts) => {
    const own = texts.get('connection') ?? {};
    expect(Object.keys(own).toSorted()).toEqual(Object.keys(builtInConnectionTexts.enUS).toSorted());
  },
);

describe('T-LANG: the language of the page before its first script', () => {
  const page = withLanguageTags(readFileSync('index.html', 'utf8'));
  const [, script = ''] = /<script nonce[^>]*>([\s\S]*?)<\/script>/.exec(page) ?? [];
  it.each([
    ['jaJP', '', 'en-US', 'ja-JP'],
    ['enUS', '', 'zh-TW', 'en'],
    ['zhTW', '', 'en-US', 'zh-Hant-TW'],
    [null, '', 'ja', 'ja-JP'],
    [null, '', 'en-GB', 'en'],
    [null, '', 'fr-FR', 'zh-Hant-TW'],
    ['zhTW', '?language=ja', 'en-US', 'ja-JP'],
    ['frFR', '', 'en-US', 'zh-Hant-TW'],
  ])('stored %s, address %j, browser %s: %s', (stored, search, browser, lang) => {
    const root = { lang: 'zh-Hant-TW', dataset: {} };
    runInNewContext(script, {
      window: {},
      document: { currentScript: { nonce: '' }, documentElement: root },
      localStorage: { getItem: (name: string) => (name === 'language' ? stored : null) },
      navigator: { language: browser },
      location: { search },
      URLSearchParams,
    });
    expect(root.lang).toBe(lang);
  });
});

describe('T-LANG: a user who reads Japanese', () => {
  let console: TestConsole;
  let mailbox: Mailbox;
  let admin: string;
  beforeAll(async () => {
    mailbox = await openMailbox();
    atFileEnd(mailbox.close);
    console = await createTestConsole(undefined, { SMTP_URL: mailbox.url });
    admin = await setUp(console);
  });
  const texts = (path: string) => fetch(`${console.address}${path}`);

  it('gets the texts of the folder; unknown languages do not exist', async () => {
    const answer = await texts('/locales/jaJP/app.json');
    expect([answer.status, await answer.json()]).toEqual([200, { ...japanese?.texts.get('app') }]);
    expect((await texts('/locales/frFR/app.json')).status).toBe(404);
    expect((await texts('/locales/jaJP/nothing.json')).status).toBe(404);
    expect((await texts('/locales/jaJP/language.json')).status).toBe(404);
  });

  it('gets error messages in Japanese', async () => {
    const answer = await fetch(`${console.address}/api/user/profile`, {
      headers: { 'accept-language': 'ja-JP,en;q=0.5' },
    });
    expect(((await answer.json()) as { message: string }).message).toBe(
      japanese?.texts.get('platform')?.['platform.sign_in_required'],
    );
  });

  it('registers in Japanese: gets e-mails in it, and documents of the organization in the fallback language', async () => {
    const account = 'reader@customer.example';
    const { user } = await console.ok(
      signin.register,
      { email: account, name: 'Reader', password: userPassword, organization: 'Kaisha', agreeToTerms: true },
      { headers: { 'accept-language': 'ja' } },
    );
    expect(user.language).toBe('jaJP');
    const { rows } = await sql<{
      language: string;
    }>`select language from organization where id = ${user.organizationId}`.execute(
      console.app.database.kysely,
    );
    expect(rows).toEqual([{ language: 'enUS' }]);
    await expect
      .poll(() => mailbox.letters.find(({ to }) => to === account)?.html)
      .toContain('<html lang="ja-JP">');
  });

  it('selects it in the profile; an unknown language is rejected at the field', async () => {
    const { token } = await registerUser(console, 'other@customer.example', 'Other');
    const chosen = languageOf('ja');
    if (chosen === undefined) throw new Error('there is no folder of Japanese');
    const { language } = await console.ok(identity.updateProfile, { language: chosen }, { token });
    expect(language).toBe('jaJP');
    const refused = await console.call(
      identity.updateProfile,
      { language: chosen },
      { token, body: '{"language":"frFR"}' },
    );
    expect([refused.status, refused.envelope.errors]).toMatchObject([400, [{ field: 'language' }]]);
  });

  it('finds tax rates by the Japanese names of their countries', async () => {
    const { items } = await console.ok(taxes.listTaxRates, { q: 'ドイツ' }, { token: admin });
    expect(new Set(items.map(({ country }) => country))).toEqual(new Set(['DE']));
  });

  it('whose language folder was removed sees the default language, and nothing fails', async () => {
    const { token, userId } = await registerUser(console, 'late@customer.example', 'Late');
    await sql`update app_user set language = 'frFR' where id = ${userId}`.execute(
      console.app.database.kysely,
    );
    expect(await console.ok(identity.profile, {}, { token })).toMatchObject({ language: 'frFR' });
    await console.ok(signin.askReset, { account: 'late@customer.example' });
    await expect
      .poll(() => mailbox.letters.findLast(({ to }) => to === 'late@customer.example')?.html)
      .toContain('<html lang="zh-Hant-TW">');
  });
});
