import { expect, it } from 'vitest';
import { indentedJson, parseJson, readJson } from './parse-json.ts';

it.each([
  ['{"a":[1]}', { a: [1] }],
  ['null', null],
  ['', undefined],
  ['{"a":', undefined],
  ['<html>', undefined],
])('%j is %j', (text, value) => expect(parseJson(text)).toEqual(value));

it('JSON is indented, and any other text stays as it is', () => {
  expect(indentedJson('{"a":[1]}')).toBe('{\n  "a": [\n    1\n  ]\n}');
  expect(indentedJson('null')).toBe('null');
  expect(indentedJson('temp=21')).toBe('temp=21');
});

it('says why a text is not JSON', () => {
  expect(readJson('[1]')).toEqual({ value: [1] });
  expect(readJson('{"a":')).toEqual({ reason: expect.stringContaining('JSON') });
});
