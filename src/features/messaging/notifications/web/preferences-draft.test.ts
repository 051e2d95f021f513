// Editing preferences keeps all stored ones.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Preferences } from '../contract.ts';
import { digestCategories, draftOf, preferencesOf } from './preferences-draft.ts';

const wanted = fc.record({ email: fc.boolean(), sms: fc.boolean(), push: fc.boolean() });
const state = { to: null, problem: null };
const preferences = fc
  .record({
    matrix: fc.record({ billing: wanted, security: wanted, usage: wanted, system: wanted }),
    quietHours: fc.option(fc.constant({ from: '23:00', to: '06:30' })),
    digest: fc.option(
      fc.record({
        hour: fc.integer({ min: 0, max: 23 }),
        categories: fc.subarray(digestCategories, { minLength: 1 }),
      }),
    ),
    channels: fc.record({
      email: fc.record({ isOn: fc.boolean() }),
      sms: fc.record({ isOn: fc.boolean() }),
      push: fc.record({ isOn: fc.boolean() }),
    }),
  })
  .map(({ channels: { email, sms, push }, ...rest }): Preferences => ({
    ...rest,
    channels: { email: { ...email, ...state }, sms: { ...sms, ...state }, push: { ...push, ...state } },
    timeZone: 'Asia/Taipei',
  }));

test('R-NOTE-02: opening and saving without changes keeps what was stored', () => {
  fc.assert(
    fc.property(preferences, (saved) => {
      const { channels, timeZone: _zone, ...deliveryPreferences } = saved;
      expect(preferencesOf(draftOf(saved))).toEqual({
        ...deliveryPreferences,
        isEmailOn: channels.email.isOn,
        isSmsOn: channels.sms.isOn,
      });
    }),
  );
});

test('R-NOTE-02: a daily e-mail without categories is none', () => {
  fc.assert(
    fc.property(preferences, (saved) => {
      expect(
        preferencesOf({
          ...draftOf(saved),
          isDigest: true,
          digest: { billing: false, security: false, usage: false, system: false },
        }).digest,
      ).toBeNull();
    }),
  );
});
