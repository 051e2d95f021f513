import { describe, expect, it } from 'vitest';
import type { Language } from '#kernel/language.ts';
import { createTexts } from './texts.ts';

function app(first: Language = 'zhTW') {
  const loads: string[] = [];
  const table = createTexts(
    first,
    (language, namespace) => {
      loads.push(`${language}/${namespace}`);
      if (namespace === 'broken') return Promise.reject(new Error('no network'));
      return Promise.resolve({
        [`${namespace}.hello`]: language === 'zhTW' ? '{{name}}，您好' : 'Hello {{name}}',
      });
    },
    { zhTW: { connection: { lost: '斷線' } }, enUS: { connection: { lost: 'lost' } } },
  );
  return { table, loads };
}

describe('texts', () => {
  it('that travel with the code are there at once', () => {
    const { table } = app();
    expect(table.ready('connection')).toMatchObject({ status: 'fulfilled' });
    expect(table.find(table.language(), ['connection'], 'lost')).toBe('斷線');
  });

  it('are loaded once, however many ask', async () => {
    const { table, loads } = app();
    const asked = table.ready('app');
    expect(asked).not.toHaveProperty('status');
    await asked;
    expect(table.ready('app')).toBe(asked);
    expect(asked).toMatchObject({ status: 'fulfilled' });
    expect(table.find(table.language(), ['billing', 'app'], 'app.hello', { name: '怡君' })).toBe(
      '怡君，您好',
    );
    expect(table.find(table.language(), ['app'], 'app.none')).toBeUndefined();
    expect(loads).toEqual(['zhTW/app']);
  });

  it('switch at once, after everything in use has been loaded', async () => {
    const { table } = app();
    await table.ready('app');
    const seen: (string | undefined)[] = [];
    table.subscribe(() => seen.push(table.find(table.language(), ['app'], 'app.hello', { name: 'you' })));
    await table.change('enUS');
    expect(table.language()).toBe('enUS');
    expect(seen).toEqual(['Hello you']);
    expect(table.ready('app')).toMatchObject({ status: 'fulfilled' });
  });

  it('that cannot be had say so', async () => {
    const { table } = app();
    await table.ready('broken');
    expect(table.hasFailed('broken')).toBe(true);
    expect(table.hasFailed('app')).toBe(false);
  });
});
