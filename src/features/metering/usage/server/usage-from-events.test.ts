// Trials count different values that no meter has limited.
import { expect, it } from 'vitest';
import { newTally } from './usage-from-events.ts';

it('counts long values of one length without comparing each with all others', () => {
  const meter = {
    key: 'readers',
    eventType: 'read',
    aggregation: 'unique_count',
    property: 'reader',
    unit: 'readers',
    dimensions: [],
  } as const;
  const tally = newTally(meter, 'Asia/Taipei');
  const event = (index: number) => ({
    source: 's',
    id: String(index),
    type: 'read',
    subscriptionId: 'sub',
    time: new Date('2024-10-01T00:00:00Z'),
    value: '1',
    // V8 hashes texts of more than 16,383 characters by their length.
    properties: { reader: `${'x'.repeat(20_000)}${String(index % 5000).padStart(4, '0')}` },
    isTimed: true,
  });
  for (let from = 0; from < 10_000; from += 1000)
    tally.add({
      subscriptionId: 'sub',
      meter: 'readers',
      cell: '',
      events: Array.from({ length: 1000 }, (_, index) => event(from + index)),
    });
  expect(tally.result(0).whole.distinct).toBe(5000n);
});
