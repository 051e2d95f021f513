// What the table of permissions calls each call, in the languages of the console.
import { beforeAll, describe, expect, it } from 'vitest';
import { consoleContract } from '#app/console/contract.ts';
import { chineseTitles } from '#app/console/call-titles-zh.ts';
import { createTestConsole, setUp, type TestConsole } from '../support/console.ts';

let console: TestConsole;
let admin: string;
beforeAll(async () => {
  console = await createTestConsole();
  admin = await setUp(console);
});
type Named = { key: string; summary: string };
const titlesIn = async (language: string): Promise<Named[]> =>
  (
    await console.ok(consoleContract.permissions, { language: language as never }, { token: admin })
  ).routes.map(({ feature, name, summary }) => ({ key: `${feature}.${name}`, summary }));

describe('R-ADM-03 R-I18N-01 the permissions table', () => {
  it('has a Chinese title in the right feature for every call, and none for calls that no longer exist', async () => {
    const titles = await titlesIn('zhTW');
    expect(titles.filter(({ summary }) => !/\p{Script=Han}/u.test(summary))).toEqual([]);
    const byFeature = titles.map(({ key, summary }) => `${key.split('.')[0]} ${summary}`);
    expect(byFeature.filter((each, index) => byFeature.indexOf(each) !== index)).toEqual([]);
    const keys = new Set(titles.map(({ key }) => key));
    expect(Object.keys(chineseTitles).filter((key) => !keys.has(key))).toEqual([]);
  });

  it('uses the titles of the API reference in English', async () => {
    const titles = await titlesIn('enUS');
    expect(titles.find(({ key }) => key === 'billing.explainLine')?.summary).toBe('Explain a bill line');
    expect(titles.filter(({ summary }) => /\p{Script=Han}/u.test(summary))).toEqual([]);
  });
});
