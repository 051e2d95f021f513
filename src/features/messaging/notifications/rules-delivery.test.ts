// When and by which channels notifications are sent (R-NOTE-02).
import fc from 'fast-check';
import '#temporal';
import { describe, expect, it } from 'vitest';
import { channels, notificationCategories } from './contract.ts';
import {
  initialPreferences,
  nextHour,
  planDeliveries,
  quietEnd,
  preferencesMistake,
  type ReachableUser,
} from './rules-delivery.ts';
import { allKinds, kinds } from './rules-kinds.ts';

const night = { from: '22:00', to: '07:00' };
const clockOf = (moment: Date, zone: string): string =>
  Temporal.Instant.fromEpochMilliseconds(moment.getTime())
    .toZonedDateTimeISO(zone)
    .toPlainTime()
    .toString()
    .slice(0, 5);

describe('quiet hours', () => {
  it.each([
    ['before they begin', '2026-11-22T21:59:59+08:00', night, 'Asia/Taipei', undefined],
    ['as they begin', '2026-11-22T22:00:00+08:00', night, 'Asia/Taipei', '2026-11-23T07:00:00+08:00'],
    ['over midnight', '2026-11-23T03:00:00+08:00', night, 'Asia/Taipei', '2026-11-23T07:00:00+08:00'],
    ['as they end', '2026-11-23T07:00:00+08:00', night, 'Asia/Taipei', undefined],
    [
      'within a day',
      '2026-11-22T12:30:00+08:00',
      { from: '12:00', to: '13:30' },
      'Asia/Taipei',
      '2026-11-22T13:30:00+08:00',
    ],
    [
      'after those within a day',
      '2026-11-22T13:30:00+08:00',
      { from: '12:00', to: '13:30' },
      'Asia/Taipei',
      undefined,
    ],
    [
      'to midnight',
      '2026-11-22T23:00:00+08:00',
      { from: '22:00', to: '00:00' },
      'Asia/Taipei',
      '2026-11-23T00:00:00+08:00',
    ],
    ['in another zone', '2026-11-22T16:00:00Z', night, 'Europe/Berlin', undefined],
    // Berlin, 2026-03-29: the clock skips 02:00 to 03:00. An end that does not exist is an hour later.
    [
      'an end that is skipped',
      '2026-03-29T01:30:00+01:00',
      { from: '23:00', to: '02:30' },
      'Europe/Berlin',
      '2026-03-29T03:30:00+02:00',
    ],
    ['the short night', '2026-03-29T01:30:00+01:00', night, 'Europe/Berlin', '2026-03-29T07:00:00+02:00'],
    ['the long night', '2026-10-25T02:30:00+01:00', night, 'Europe/Berlin', '2026-10-25T07:00:00+01:00'],
    // Berlin, 2026-10-25: 02:30 occurs twice; quiet hours end at the first.
    [
      'an end that occurs twice',
      '2026-10-25T02:00:00+02:00',
      { from: '23:00', to: '02:30' },
      'Europe/Berlin',
      '2026-10-25T02:30:00+02:00',
    ],
    [
      'after its first occurrence',
      '2026-10-25T02:30:00+02:00',
      { from: '23:00', to: '02:30' },
      'Europe/Berlin',
      undefined,
    ],
  ] as const)('%s', (_what, moment, quiet, zone, end) => {
    expect(quietEnd(new Date(moment), quiet, zone)?.getTime()).toBe(
      end === undefined ? undefined : Date.parse(end),
    );
  });

  const time = fc
    .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
    .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`);
  const zone = fc.constantFrom(
    'Asia/Taipei',
    'Europe/Berlin',
    'America/New_York',
    'Australia/Lord_Howe',
    'America/Santiago',
    'UTC',
    'Asia/Kolkata',
  );
  const moment = fc
    .integer({ min: Date.parse('2026-01-01T00:00:00Z'), max: Date.parse('2027-12-31T00:00:00Z') })
    .map((ms) => new Date(ms));

  it('end within a day after the moment, at the configured time unless the clock skips it', () => {
    fc.assert(
      fc.property(moment, time, time, zone, (now, from, to, where) => {
        fc.pre(from !== to);
        const end = quietEnd(now, { from, to }, where);
        if (!end) return;
        expect(end.getTime()).toBeGreaterThan(now.getTime());
        expect(end.getTime() - now.getTime()).toBeLessThanOrEqual(25 * 3_600_000);
        const day = Temporal.Instant.fromEpochMilliseconds(end.getTime())
          .toZonedDateTimeISO(where)
          .toPlainDate();
        const exists =
          clockOf(
            new Date(day.toZonedDateTime({ timeZone: where, plainTime: to }).epochMilliseconds),
            where,
          ) === to;
        if (exists) expect(clockOf(end, where)).toBe(to);
        expect(quietEnd(end, { from, to }, where)).toBeUndefined();
      }),
      { numRuns: 500 },
    );
  });

  it('or their complement apply at any moment, except on days when the clock changes', () => {
    fc.assert(
      fc.property(moment, time, time, (now, from, to) => {
        fc.pre(from !== to);
        expect(quietEnd(now, { from, to }, 'Asia/Taipei') === undefined).toBe(
          quietEnd(now, { from: to, to: from }, 'Asia/Taipei') !== undefined,
        );
      }),
    );
  });

  it('with equal begin and end are rejected', () => {
    expect(preferencesMistake({ quietHours: { from: '08:00', to: '08:00' } })).toBe(
      'notifications.quiet_empty',
    );
    expect(preferencesMistake({ quietHours: night })).toBeUndefined();
  });
});

describe('the hour of the daily e-mail', () => {
  it.each([
    ['later today', '2026-11-22T07:59:59+08:00', 8, 'Asia/Taipei', '2026-11-22T08:00:00+08:00'],
    [
      'tomorrow, when it is just now',
      '2026-11-22T08:00:00+08:00',
      8,
      'Asia/Taipei',
      '2026-11-23T08:00:00+08:00',
    ],
    ['a day of 23 hours', '2026-03-28T08:00:00+01:00', 8, 'Europe/Berlin', '2026-03-29T08:00:00+02:00'],
    ['an hour that is skipped', '2026-03-28T12:00:00+01:00', 2, 'Europe/Berlin', '2026-03-29T03:00:00+02:00'],
  ] as const)('%s', (_what, moment, hour, zone, next) => {
    expect(nextHour(new Date(moment), hour, zone).getTime()).toBe(Date.parse(next));
  });
});

const open = { email: null, sms: null, push: null } as const;
const reach = (more: Partial<ReachableUser> = {}): ReachableUser => ({
  timeZone: 'Asia/Taipei',
  preferences: initialPreferences,
  isOn: { email: true, sms: true, push: true },
  problem: open,
  ...more,
});
const noon = new Date('2026-11-22T12:00:00+08:00');
const midnight = new Date('2026-11-22T23:30:00+08:00');
const planned = (kind: keyof typeof kinds, to: ReachableUser, now = noon): string[] =>
  planDeliveries(kinds[kind], to, now).map(
    ({ channel, dueAt, isDigest }) =>
      `${channel}${dueAt ? ` ${dueAt.toISOString()}` : ''}${isDigest ? ' digest' : ''}`,
  );

describe('channels of a notification', () => {
  it('are those of the kind that are enabled, selected and possible', () => {
    expect(planned('dunning.suspend', reach())).toEqual(['email', 'sms', 'push']);
    expect(planned('bill.paid', reach())).toEqual(['email', 'push']);
    expect(planned('dunning.suspend', reach({ isOn: { email: false, sms: true, push: true } }))).toEqual([
      'sms',
      'push',
    ]);
    expect(planned('dunning.suspend', reach({ problem: { ...open, sms: 'no_phone' } }))).toEqual([
      'email',
      'push',
    ]);
    expect(
      planned(
        'bill.paid',
        reach({
          preferences: {
            ...initialPreferences,
            matrix: { ...initialPreferences.matrix, billing: { email: false, sms: true, push: true } },
          },
        }),
      ),
    ).toEqual(['push']);
  });

  it('send a security e-mail immediately, whatever the preferences, at night, and without a digest', () => {
    const none = Object.fromEntries(
      notificationCategories.map((category) => [category, { email: false, sms: false, push: false }]),
    ) as ReachableUser['preferences']['matrix'];
    const shut = reach({
      isOn: { email: false, sms: false, push: false },
      preferences: {
        matrix: none,
        quietHours: night,
        digest: { hour: 8, categories: [...notificationCategories] },
      },
    });
    for (const kind of allKinds)
      expect(planned(kind, shut, midnight), kind).toEqual(kinds[kind].isLocked ? ['email'] : []);
  });

  it('wait until quiet hours end; a digest waits for its hour, or their end if its hour is within them', () => {
    const quiet = { ...initialPreferences, quietHours: night };
    expect(planned('bill.overdue', reach({ preferences: quiet }), midnight)).toEqual([
      'email 2026-11-22T23:00:00.000Z',
      'sms 2026-11-22T23:00:00.000Z',
      'push 2026-11-22T23:00:00.000Z',
    ]);
    const digest = { hour: 9, categories: ['billing' as const] };
    expect(planned('bill.issued', reach({ preferences: { ...initialPreferences, digest } }))).toEqual([
      'email 2026-11-23T01:00:00.000Z digest',
      'push',
    ]);
    expect(planned('quota.Warning', reach({ preferences: { ...initialPreferences, digest } }))).toEqual([
      'email',
      'push',
    ]);
    expect(
      planned('bill.issued', reach({ preferences: { ...quiet, digest: { ...digest, hour: 6 } } })),
    ).toEqual(['email 2026-11-22T23:00:00.000Z digest', 'push']);
  });

  it('send nothing but security e-mails within quiet hours', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...allKinds),
        fc.integer({ min: Date.parse('2026-01-01'), max: Date.parse('2027-01-01') }),
        fc.integer({ min: 0, max: 23 }),
        (kind, ms, hour) => {
          const to = reach({
            timeZone: 'Europe/Berlin',
            preferences: {
              ...initialPreferences,
              quietHours: night,
              digest: { hour, categories: ['billing', 'usage'] },
            },
          });
          for (const { channel, dueAt } of planDeliveries(kinds[kind], to, new Date(ms))) {
            if (channel === 'email' && kinds[kind].isLocked) expect(dueAt).toBeNull();
            else expect(quietEnd(dueAt ?? new Date(ms), night, 'Europe/Berlin')).toBeUndefined();
          }
        },
      ),
    );
  });

  it('include e-mail or push for every kind, and security ones cannot be disabled', () => {
    for (const kind of allKinds) {
      expect(kinds[kind].channels.length, kind).toBeGreaterThan(0);
      expect(kinds[kind].channels.every((channel) => channels.includes(channel))).toBe(true);
      expect(kinds[kind].isLocked, kind).toBe(kinds[kind].category === 'security');
    }
  });
});
