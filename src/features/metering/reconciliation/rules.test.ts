import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compare, isNewlyAbove, type CompareInput, type Existing, type Known, type Paying } from './rules.ts';

const at = new Date('2024-09-10T12:00:00Z');
const hour = (count: number): Date => new Date(at.getTime() + count * 3_600_000);
const existing = (resource: string, more: Partial<Existing> = {}): Existing => ({
  resource,
  size: 'm1',
  ownerId: 'sub',
  ...more,
});
const known = (resource: string, more: Partial<Known> = {}): Known => ({
  resource,
  subscriptionId: 'sub',
  isIgnored: false,
  size: 'm1',
  isWaiting: false,
  lastStart: hour(-2),
  lastEnd: hour(-1),
  ...more,
});
const paying = (more: Partial<Paying> = {}): Paying => ({
  isOver: false,
  quantity: 1,
  hasFee: false,
  ...more,
});
const compared = (more: Partial<CompareInput>) =>
  compare({
    existing: [],
    known: [],
    paying: new Map([['sub', paying()]]),
    missing: new Map(),
    at,
    ghostHours: 24,
    ...more,
  });
const found = (more: Partial<CompareInput>): string[] =>
  compared(more).differences.map(({ resource, kind, cause }) => `${resource} ${kind} ${cause}`);

describe('unbilled resources', () => {
  it('T-RECON: belong to no subscription, or to a deleted or ended one, or their readings wait', () => {
    expect(found({ existing: [existing('vm', { ownerId: null })] })).toEqual(['vm unbilled unmapped']);
    expect(found({ existing: [existing('vm', { ownerId: 'deleted' })] })).toEqual(['vm unbilled unmapped']);
    expect(
      found({ existing: [existing('vm')], paying: new Map([['sub', paying({ isOver: true })]]) }),
    ).toEqual(['vm unbilled ended']);
    expect(found({ existing: [existing('vm')], known: [known('vm', { isWaiting: true })] })).toEqual([
      'vm unbilled waiting',
    ]);
    expect(found({ existing: [existing('vm')], known: [known('vm')] })).toEqual([]);
    expect(found({ existing: [existing('vm')] })).toEqual([]);
  });

  it('T-RECON: a resource that an Admin ignores is neither unbilled nor a ghost', () => {
    const ignored = known('vm', { isIgnored: true });
    expect(found({ existing: [existing('vm', { ownerId: null })], known: [ignored] })).toEqual([]);
    expect(found({ known: [ignored], missing: new Map([['vm', hour(-5)]]) })).toEqual([]);
  });
});

describe('ghosts', () => {
  it('T-RECON: usage before the resource was missing is not one; a later window is, with its hours', () => {
    const gone = known('vm');
    expect(found({ known: [gone] })).toEqual([]);
    expect(found({ known: [gone], missing: new Map([['vm', hour(-1.5)]]) })).toEqual([]);
    expect(found({ known: [gone], missing: new Map([['vm', hour(-2)]]) })).toEqual(['vm ghost usage']);
    expect(found({ known: [gone], missing: new Map([['vm', hour(-2)]]), ghostHours: 0.5 })).toEqual([]);
  });

  it('T-RECON: the time since when a resource is missing is kept until it is back', () => {
    const first = compared({ known: [known('vm')] }).missing;
    expect(first).toEqual(new Map([['vm', at]]));
    expect(compared({ known: [known('vm')], missing: first, at: hour(1) }).missing).toEqual(first);
    expect(compared({ known: [known('vm')], existing: [existing('vm')], missing: first }).missing.size).toBe(
      0,
    );
  });

  it('T-RECON: a subscription that pays for more than exists is one', () => {
    const one = new Map([['sub', paying({ hasFee: true })]]);
    expect(found({ known: [known('vm')], paying: one })).toEqual(['vm ghost fee']);
    // A fee for one pays for the existing machine.
    expect(found({ existing: [existing('new')], known: [known('vm')], paying: one })).toEqual([]);
    const three = new Map([['sub', paying({ hasFee: true, quantity: 3 })]]);
    expect(
      found({
        existing: [existing('a'), existing('b')],
        known: [known('old', { lastEnd: hour(-9) }), known('vm')],
        paying: three,
      }),
    ).toEqual(['vm ghost fee']);
    expect(
      found({ known: [known('vm')], paying: new Map([['sub', paying({ hasFee: true, isOver: true })]]) }),
    ).toEqual([]);
  });
});

describe('differences between cloud and billing', () => {
  it('T-RECON: are another size or owner than billed; an unknown size is none', () => {
    expect(found({ existing: [existing('vm', { size: 'm2' })], known: [known('vm')] })).toEqual([
      'vm differs size',
    ]);
    expect(found({ existing: [existing('vm', { size: '' })], known: [known('vm')] })).toEqual([]);
    const both = new Map([
      ['sub', paying()],
      ['other', paying()],
    ]);
    expect(
      found({ existing: [existing('vm', { ownerId: 'other' })], known: [known('vm')], paying: both }),
    ).toEqual(['vm differs owner']);
  });

  it('T-RECON: are found once, and a correctly billed cloud has no findings', () => {
    const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'));
    fc.assert(
      fc.property(names, names, fc.boolean(), fc.nat({ max: 4 }), (there, before, hasFee, quantity) => {
        const all = {
          existing: there.map((name) => existing(name)),
          known: before.map((name) => known(name)),
          paying: new Map([['sub', paying({ hasFee, quantity })]]),
        };
        const { differences, missing } = compared(all);
        expect(new Set(differences.map(({ resource }) => resource)).size).toBe(differences.length);
        expect([...missing.keys()]).toEqual(before.filter((name) => !there.includes(name)));
        // Never more ghosts by fee than paid for and missing.
        expect(differences.length).toBeLessThanOrEqual(Math.max(0, quantity - there.length));
      }),
    );
  });
});

it('T-RECON: Admins are notified when the limit is passed, not while it stays passed', () => {
  expect(isNewlyAbove(100n, 101n, 100n)).toBe(true);
  expect(isNewlyAbove(101n, 102n, 100n)).toBe(false);
  expect(isNewlyAbove(0n, 100n, 100n)).toBe(false);
});
