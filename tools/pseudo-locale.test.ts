import { expect, it } from 'vitest';
import { pseudo } from './pseudo-locale.ts';

it('R-I18N-05 the pseudo-locale adds brackets and accents, lengthens texts, and keeps placeholders', () => {
  expect(pseudo('Save changes')).toBe('［Šàṽé çĥàñĝéš öñé］'.replace('öñé', 'öñé ţ'));
  expect(pseudo('{{count}} users are exported ({{filters}}).')).toMatch(
    /^［\{\{count\}\} ûšéŕš àŕé éẋþöŕţéð \(\{\{filters\}\}\)\. .+］$/,
  );
  for (const sentence of ['OK', 'A much longer sentence that tells what to do next.'])
    expect([...pseudo(sentence)].length).toBeGreaterThanOrEqual(Math.floor(sentence.length * 1.4) + 2);
});
