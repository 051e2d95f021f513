import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { plainArray, textArray } from './array-literal.ts';
import { createTestDatabase } from './test-database.ts';

const database = await createTestDatabase();

describe('array literals', () => {
  it('carry any text unchanged', async () => {
    const texts = ['a', '', 'NULL', ' x ', 'a,b', '{a}', 'q"uo"te', 'back\\slash\\', 'line\nbreak', '中文，「引號」', "it's"];
    const { rows } = await sql<{ value: string[] }>`select ${textArray(texts)}::text[] as value`.execute(database.kysely);
    expect(rows[0]?.value).toEqual(texts);
  });

  it('carry numbers and decimals exactly, and nothing', async () => {
    const { rows } = await sql<{ whole: number[]; exact: string[]; none: string[] }>`select ${plainArray([1, -2, 3])}::int[] as whole, ${plainArray(['0.000000000001', '-9007199254740993.5'])}::numeric[] as exact, ${textArray([])}::text[] as none`.execute(database.kysely);
    expect(rows[0]).toEqual({ whole: [1, -2, 3], exact: ['0.000000000001', '-9007199254740993.5'], none: [] });
  });
});
