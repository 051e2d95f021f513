import fc from 'fast-check';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { arrayLiteral } from './array-literal.ts';
import { createTestDatabase } from '#tests/support/database.ts';

const database = await createTestDatabase();

describe('lists as database parameters', () => {
  it('contain any text unchanged, and null', async () => {
    const texts = [
      'a',
      '',
      'NULL',
      'null',
      ' x ',
      'a,b',
      '{a}',
      'q"uo"te',
      'back\\slash\\',
      'line\nbreak',
      '中文，「引號」',
      "it's",
      '😀',
    ];
    const { rows } = await sql<{
      all: string[];
      plain: string[];
      some: (string | null)[];
      none: string[];
    }>`select ${texts}::text[] as all, ${texts.slice(0, 3)}::text[] as plain, ${['a', null, undefined, 'NULL']}::text[] as some, ${[]}::text[] as none`.execute(
      database.kysely,
    );
    expect(rows[0]).toEqual({
      all: texts,
      plain: texts.slice(0, 3),
      some: ['a', null, null, 'NULL'],
      none: [],
    });
  });

  it('contain random texts unchanged', async () => {
    // PostgreSQL cannot store NUL.
    const text = fc
      .string({ unit: 'binary' })
      .filter((value) => !value.includes('\0') && value.isWellFormed());
    await fc.assert(
      fc.asyncProperty(fc.array(fc.option(text)), async (values) => {
        const { rows } = await sql<{ value: (string | null)[] }>`select ${values}::text[] as value`.execute(
          database.kysely,
        );
        expect(rows[0]?.value).toEqual(values);
      }),
      { numRuns: 200 },
    );
  });

  it('contain numbers, decimals, times and booleans exactly', async () => {
    const moments = [new Date('2026-11-23T08:30:00.123Z'), null, new Date(0)];
    const early = [
      new Date('0044-03-15T12:00:00Z'),
      new Date(-62_200_000_000_000),
      new Date('+012026-01-01T00:00:00Z'),
    ];
    const { rows } = await sql<{
      whole: (number | null)[];
      big: bigint[];
      exact: string[];
      moments: Date[];
      early: Date[];
      flags: boolean[];
    }>`select ${[1, -2, null, 3]}::int[] as whole, ${[-9007199254740993n, 2n]}::bigint[] as big,
      ${['0.000000000001', '-9007199254740993.5']}::numeric[] as exact, ${moments}::timestamptz[] as moments, ${early}::timestamptz[] as early, ${[true, false]}::boolean[] as flags`.execute(
      database.kysely,
    );
    expect(rows[0]).toEqual({
      whole: [1, -2, null, 3],
      big: [-9007199254740993n, 2n],
      exact: ['0.000000000001', '-9007199254740993.5'],
      moments,
      early,
      flags: [true, false],
    });
  });

  it('contain any times to the millisecond, and nulls among them', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.option(
            fc.date({
              min: new Date('0001-01-01T00:00:00Z'),
              max: new Date('9999-12-31T23:59:59.999Z'),
              noInvalidDate: true,
            }),
          ),
        ),
        async (moments) => {
          const { rows } = await sql<{
            value: (Date | null)[];
            same: boolean;
          }>`select ${moments}::timestamptz[] as value, ${moments.map((moment) => moment?.toISOString() ?? null)}::timestamptz[] = ${moments}::timestamptz[] as same`.execute(
            database.kysely,
          );
          expect(rows[0]).toEqual({ value: moments, same: true });
        },
      ),
      { numRuns: 200 },
    );
  });

  it('leave unknown types to the driver', async () => {
    const bytes = [Buffer.from([0, 255, 34, 92]), Buffer.from('x')];
    const nested = [
      ['a', 'b'],
      ['c"', 'd'],
    ];
    expect([
      arrayLiteral(bytes),
      arrayLiteral(nested),
      arrayLiteral([{ a: 1 }]),
      arrayLiteral([new Date(Number.NaN)]),
    ]).toEqual([undefined, undefined, undefined, undefined]);
    const { rows } = await sql<{
      bytes: Buffer[];
      nested: string[][];
      json: object[];
    }>`select ${bytes}::bytea[] as bytes, ${nested}::text[] as nested, ${[{ a: 'q"' }]}::jsonb[] as json`.execute(
      database.kysely,
    );
    expect(rows[0]).toEqual({ bytes, nested, json: [{ a: 'q"' }] });
  });
});
