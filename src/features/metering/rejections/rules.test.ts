// Whatever a rejected event contains, its stored form fits into the database.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { storedFormOf, storableParams, longestRaw } from './rules.ts';

const isStorable = (text: string): boolean => !text.includes('\u0000') && text.isWellFormed();

describe('I6: a rejected event', () => {
  it('is stored unchanged up to 16 KB, with its attributes if they are texts', () => {
    const event = { specversion: '1.0', id: 'a', source: 7, type: 't', subject: null };
    expect(storedFormOf(event)).toEqual({
      content: JSON.stringify(event),
      raw: JSON.stringify(event),
      isComplete: true,
      source: null,
      eventId: 'a',
      type: 't',
      subject: null,
    });
    const long = storedFormOf({ id: 'a', note: '😀'.repeat(10_000) });
    expect([long.isComplete, long.raw.length <= longestRaw, long.content.length > longestRaw]).toEqual([
      false,
      true,
      true,
    ]);
  });

  it('is truncated between characters', () => {
    expect(storedFormOf({ source: `a${'😀'.repeat(200)}` }).source?.isWellFormed()).toBe(true);
    expect(storedFormOf([`a${'😀'.repeat(20_000)}`]).raw.isWellFormed()).toBe(true);
  });

  it('that cannot be serialized is stored with its reason only', () => {
    let deep: unknown = 1;
    for (let depth = 0; depth < 100_000; depth++) deep = [deep];
    expect(storedFormOf({ id: 'a', deep })).toMatchObject({ raw: '', isComplete: false, eventId: 'a' });
    expect(storedFormOf(undefined)).toMatchObject({ raw: '', isComplete: false, eventId: null });
  });

  it('is always text that a database accepts', () => {
    const wild = fc.anything({
      key: fc.string({ unit: 'binary' }),
      values: [
        fc.string({ unit: 'binary', maxLength: 700 }),
        fc.string({ unit: 'grapheme', maxLength: 700 }),
        fc.integer(),
      ],
    });
    fc.assert(
      fc.property(
        fc.oneof(wild, fc.record({ id: wild, source: wild, type: wild, subject: wild })),
        fc.string({ unit: 'binary' }),
        (raw, limit) => {
          const { raw: json, source, eventId, type, subject } = storedFormOf(raw);
          for (const text of [
            json,
            source,
            eventId,
            type,
            subject,
            storableParams({ limit })['limit'] ?? null,
          ])
            expect(text === null || isStorable(text)).toBe(true);
        },
      ),
    );
  });
});
