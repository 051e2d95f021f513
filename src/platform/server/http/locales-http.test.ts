import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Texts } from '#kernel/text.ts';
import { atFileEnd } from '#tests/support/clean-up.ts';
import { writeText } from '../files/store/file-store.ts';
import { folderStore } from '../files/store/folder-store.ts';
import { silentLog } from '../log.ts';
import { mostJoined } from './joined-texts.ts';
import { serveLocales } from './locales-http.ts';

const table = (name: string, language: string): Texts => ({
  [`${name}.title`]: `${language} ${name}`,
  [`${name}.other`]: 'x'.repeat(2000),
});
const names = ['app', 'billing', 'en16931', ...Array.from({ length: 12 }, (_, index) => `more${index}`)];
const namespaces = Object.fromEntries(
  names.map((name) => [name, { zhTW: table(name, 'zhTW'), enUS: table(name, 'enUS') }]),
);

describe('R-I18N-04 texts over HTTP', () => {
  let server: FastifyInstance;
  const get = (url: string, encoding = '') =>
    server.inject({ url, headers: encoding ? { 'accept-encoding': encoding } : {} });
  beforeAll(async () => {
    const root = mkdtempSync(join(tmpdir(), 'skytally-texts-'));
    atFileEnd(() => rmSync(root, { recursive: true, force: true }));
    const files = folderStore(root);
    await writeText(
      files,
      'locales/zhTW/billing.json',
      '{"billing.title":"營運者的","billing.unknown":"不會出現"}',
    );
    await writeText(files, 'locales/zhTW/en16931.json', '{"en16931.title":"也是"}');
    await writeText(files, 'locales/jaJP/app.json', '{"app.title":"変更"}');
    server = Fastify();
    atFileEnd(() => server.close());
    const japanese = {
      code: 'jaJP',
      tag: 'ja-JP',
      name: '日本語',
      shortName: '日',
      standIn: 'enUS',
      conventions: 'enUS',
      isMachineTranslated: true,
    } as const;
    await serveLocales(server, {
      namespaces,
      packs: [{ pack: japanese, texts: new Map([['app', { 'app.other': '他' }]]) }],
      files,
      log: silentLog(),
      takeMissing: false,
    });
  });

  it('of a bundle are returned unchanged, of joined names by language and namespace, with the operator’s in both', async () => {
    const billing = { ...table('billing', 'zhTW'), 'billing.title': '營運者的' };
    expect((await get('/locales/zhTW/billing.json?v=1')).json()).toEqual(billing);
    expect((await get('/locales/zhTW/app+billing.json?v=1')).json()).toEqual({
      zhTW: { app: table('app', 'zhTW'), billing },
    });
    expect((await get('/locales/jaJP+enUS+zhTW/app.json')).json()).toEqual({
      jaJP: { app: { 'app.title': '変更', 'app.other': '他' } },
      enUS: { app: table('app', 'enUS') },
      zhTW: { app: table('app', 'zhTW') },
    });
    // A name with digits is valid.
    expect((await get('/locales/zhTW/en16931.json')).json()).toMatchObject({ 'en16931.title': '也是' });
  });

  it('that are unknown are omitted; without any known one the address does not exist', async () => {
    expect((await get('/locales/zhTW+frFR/app+nothing+constructor+__proto__.json')).json()).toEqual({
      zhTW: { app: table('app', 'zhTW') },
    });
    for (const path of [
      'zhTW/nothing+none.json',
      'frFR+deDE/app.json',
      '+/+.json',
      'zhTW/app+billing',
      '__proto__+x/app.json',
    ])
      expect([path, (await get(`/locales/${path}`)).statusCode]).toEqual([path, 404]);
  });

  it('are returned for as many names as a page loads at a time, and no more', async () => {
    const joined = (count: number) => `/locales/zhTW/${names.slice(0, count).join('+')}.json`;
    expect(Object.keys((await get(joined(mostJoined))).json<{ zhTW: object }>().zhTW)).toHaveLength(10);
    expect((await get(joined(mostJoined + 1))).statusCode).toBe(404);
    // Repeating a name adds nothing.
    const again = await get(`/locales/zhTW/${'app+'.repeat(20)}app.json`);
    expect(again.json()).toEqual({ zhTW: { app: table('app', 'zhTW') } });
    const languages = Array.from({ length: mostJoined }, (_, index) => `l${index}`);
    expect((await get(`/locales/${languages.join('+')}+zhTW/app.json`)).statusCode).toBe(404);
  });

  it.each([
    ['br', brotliDecompressSync, 'gzip, deflate, br, zstd'],
    ['gzip', gunzipSync, 'gzip;q=0.5, br;q=0'],
    [undefined, (bytes: Buffer) => bytes, 'identity'],
    [undefined, (bytes: Buffer) => bytes, ''],
  ])('are compressed with %s where the client accepts it', async (coding, unpack, accepted) => {
    for (const path of ['/locales/zhTW/app.json', '/locales/zhTW/app+billing.json']) {
      const { headers, rawPayload } = await get(path, accepted);
      expect(headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'public, max-age=300',
        vary: 'accept-encoding',
      });
      expect(headers['content-encoding']).toBe(coding);
      if (coding !== undefined) expect(rawPayload.length).toBeLessThan(500);
      expect(unpack(rawPayload).toString()).toContain('zhTW app');
    }
  });
});
