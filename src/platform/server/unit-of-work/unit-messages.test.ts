// The outbox messages of a transaction: equal messages for many topics are merged, up to the size limit of a
// notification.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UnitMessages } from './unit-messages.ts';

const live = (topics: readonly string[], message: object) => ({
  kind: 'live',
  key: null,
  payload: { topics, message },
});

describe('R-NOTE-03: the messages of a transaction', () => {
  it('are merged for topics with the same content, and separate for others', () => {
    const unit = new UnitMessages();
    expect(unit.isEmpty).toBe(true);
    for (const topic of ['a', 'b', 'a']) unit.publish(topic, { kind: 'issued' });
    unit.publish('a', { kind: 'paid' });
    unit.send('mail', '1', { to: 'x' }, undefined);
    unit.send('mail', '1', { to: 'y' }, undefined);
    expect(unit.all()).toEqual([
      { kind: 'mail', key: '1', payload: { to: 'y' } },
      live(['a', 'b'], { kind: 'issued' }),
      live(['a'], { kind: 'paid' }),
    ]);
  });

  it('cover every topic, and none is too large for a notification, for any number', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.stringMatching(/^[a-z0-9_]{1,60}$/), { minLength: 1, maxLength: 900 }),
        (topics) => {
          const unit = new UnitMessages();
          for (const topic of topics) unit.publish(`org/${topic}`, { kind: 'issued' });
          const payloads = unit.all().map((message) => message.payload as { topics: string[] });
          expect(payloads.flatMap((payload) => payload.topics)).toEqual(
            topics.map((topic) => `org/${topic}`),
          );
          // As jsonb is written, with a space after each comma.
          for (const payload of payloads)
            expect(Buffer.byteLength(JSON.stringify(payload)) + payload.topics.length + 2).toBeLessThan(8000);
        },
      ),
      { numRuns: 100 },
    );
  });
});
