// Matching rows: a match is never certain if another one fits as well.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  codeOf,
  codesIn,
  payerKeys,
  plainOrganization,
  proposals,
  type ExpectedPayment,
  type MatchRow,
} from './rules-match.ts';

const awaits = (
  id: string,
  minor: bigint,
  name: string,
  organization = 'One',
  kind: ExpectedPayment['kind'] = 'transfer',
): ExpectedPayment => ({
  kind,
  id,
  codes: [codeOf(name)],
  organizationId: `org ${organization}`,
  organization,
  minor,
});
const row = (minor: bigint, words = '', more: Partial<MatchRow> = {}): MatchRow => ({
  id: `row ${words} ${minor}`,
  minor,
  words,
  payerName: '',
  payerAccount: '',
  ...more,
});
const propose = (one: MatchRow, awaited: ExpectedPayment[], payers = new Map<string, string[]>()) =>
  proposals([one], awaited, payers)[0];

describe('a reference is recognized', () => {
  it.each([
    'PAY-7QK2M9XR',
    'pay-7qk2m9xr',
    'PAY7QK2M9XR',
    'Pay 7QK2 M9XR',
    'ＰＡＹ－７ＱＫ２Ｍ９ＸＲ',
    'ATM轉帳PAY-7QK2M9XR謝謝',
    'p a y - 7 q k 2 m 9 x r',
    'REF/PAY.7QK2M9XR/1050',
    '轉帳 PAY-7QK2\nM9XR',
  ])('%s', (words) => {
    expect(codesIn(words)).toContain(codeOf('PAY-7QK2M9XR'));
  });
  it.each([
    'B-202610-000042',
    'b202610000042',
    'B 202610 000042',
    'Ｂ－２０２６１０－００００４２',
    '帳單B-202610-000042請查收',
  ])('%s', (words) => {
    expect(codesIn(words)).toContain(codeOf('B-202610-000042'));
  });
  it.each(['CB-202610-000042', 'cb202610000042', 'ＣＢ－２０２６１０－００００４２', '貨款CB 202610 000042'])(
    'but the number of a consolidated bill is not taken for a bill’s: %s',
    (words) => {
      expect(codesIn(words)).toEqual([codeOf('CB-202610-000042')]);
    },
  );
  it('with letters that its code never contains', () => {
    expect(codesIn('PAY-7QKO1M9X')).toContain(codeOf('PAY-7QK01M9X'));
    expect(codesIn('PAY-7QK0lM9X')).toContain(codeOf('PAY-7QK01M9X'));
  });
  it('but not within a longer number', () => {
    expect(codesIn('B-202610-0000421')).not.toContain(codeOf('B-202610-000042'));
    expect(codesIn('PAYMENT THANKS')).not.toContain(codeOf('PAY-7QK2M9XR'));
  });

  const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'.split('');
  const spelled = fc.tuple(
    fc.array(fc.constantFrom(...alphabet), { minLength: 8, maxLength: 8 }),
    fc.array(fc.constantFrom('', ' ', '-', ' - '), { minLength: 8, maxLength: 8 }),
    fc.boolean(),
    fc.boolean(),
  );
  it('in any spelling', () => {
    fc.assert(
      fc.property(
        spelled,
        fc.constantFrom('', '轉帳', '跨行轉入 '),
        fc.constantFrom('', ' 謝謝', '。'),
        ([letters, gaps, lower, wide], before, after) => {
          let text = `PAY${letters.map((letter, index) => `${gaps[index]}${letter}`).join('')}`;
          if (lower) text = text.toLowerCase();
          if (wide)
            text = text.replace(/[!-~]/g, (sign) =>
              String.fromCodePoint((sign.codePointAt(0) ?? 0) + 0xfee0),
            );
          expect(codesIn(before + text + after)).toContain(codeOf(`PAY-${letters.join('')}`));
        },
      ),
    );
  });
});

describe('a row is matched', () => {
  const transfer = awaits('1', 1050n, 'PAY-7QK2M9XR');
  it('to the payment that it names, with certainty only for the exact amount', () => {
    expect(propose(row(1050n, 'pay 7qk2m9xr'), [transfer])).toMatchObject({
      target: transfer,
      reason: 'reference',
      certainty: 'certain',
    });
    expect(propose(row(1000n, 'pay 7qk2m9xr'), [transfer])).toMatchObject({
      target: transfer,
      reason: 'reference_amount_differs',
      certainty: 'likely',
    });
    expect(
      propose(row(1050n, 'B-202610-000042'), [awaits('2', 1050n, 'B-202610-000042', 'One', 'bill')]),
    ).toMatchObject({ reason: 'bill_number', certainty: 'certain' });
  });
  it('to none if it names several', () => {
    expect(
      propose(row(1050n, 'PAY-7QK2M9XR PAY-7QK2M9XS'), [transfer, awaits('2', 1050n, 'PAY-7QK2M9XS')]),
    ).toBeUndefined();
  });
  it('to a payment expected from a known account; a known name is less certain', () => {
    const more = { payerName: '個人匯款', payerAccount: '012-345-678' };
    expect(
      propose(
        row(1050n, '', more),
        [transfer, awaits('2', 1050n, 'PAY-2', 'Two')],
        new Map([['account 012345678', ['org One']]]),
      ),
    ).toMatchObject({ target: transfer, reason: 'payer_amount', certainty: 'certain' });
    expect(
      propose(row(1050n, '', more), [transfer], new Map([['name 個人匯款', ['org One']]])),
    ).toMatchObject({ certainty: 'likely' });
    expect(
      propose(
        row(1050n, '', more),
        [transfer, awaits('2', 1050n, 'PAY-2')],
        new Map([['account 012345678', ['org One']]]),
      )?.certainty,
    ).toBe('possible');
  });
  it('to a payment expected from an organization of its name', () => {
    const named = awaits('1', 500n, 'PAY-1', '福爾摩沙雲端股份有限公司');
    expect(
      propose(row(500n, '', { payerName: '福爾摩沙雲端（股）公司' }), [
        named,
        awaits('2', 500n, 'PAY-2', 'Two'),
      ]),
    ).toMatchObject({ target: named, reason: 'name_amount', certainty: 'likely' });
    expect(plainOrganization('Formosa Cloud Co., Ltd.')).toBe('FORMOSACLOUD');
  });
  it('by a unique amount, never with certainty', () => {
    expect(propose(row(1050n), [transfer])).toMatchObject({ reason: 'amount', certainty: 'possible' });
    expect(propose(row(1050n), [transfer, awaits('2', 1050n, 'PAY-2', 'Two')])).toBeUndefined();
  });
  it('to a refund if it is outgoing', () => {
    const refund = awaits('r', -300n, 'PAY-7QK2M9XR', 'One', 'refund');
    expect(propose(row(-300n, 'PAY-7QK2M9XR'), [refund, transfer])).toMatchObject({
      target: refund,
      certainty: 'certain',
    });
    expect(propose(row(-300n), [refund])).toMatchObject({ reason: 'refund', certainty: 'possible' });
    expect(propose(row(300n), [refund])).toBeUndefined();
  });
  it('to nobody by a masked account', () => {
    expect(payerKeys({ payerName: '', payerAccount: '*****12345' })).toEqual([]);
  });
});

it('P: for any rows, certain matches have the exact amount, no target has two certain rows, and direction always matches', () => {
  const names = ['PAY-7QK2M9XR', 'PAY-7QK2M9XS', 'B-202610-000042', 'B-202610-000043'];
  const awaitedList = fc.array(
    fc.record({
      name: fc.constantFrom(...names),
      minor: fc.constantFrom(100n, 200n, -100n),
      organization: fc.constantFrom('Alpha', 'Beta'),
    }),
    { maxLength: 8 },
  );
  const rowList = fc.array(
    fc.record({
      words: fc.constantFrom('', 'x', 'Alpha', ...names, `${names[0]} ${names[2]}`),
      minor: fc.constantFrom(100n, 200n, -100n),
      payerAccount: fc.constantFrom('', '11111', '22222'),
    }),
    { maxLength: 8 },
  );
  fc.assert(
    fc.property(awaitedList, rowList, (a, r) => {
      const awaited = a.map((each, index) =>
        awaits(
          `t${index}`,
          each.minor,
          each.name,
          each.organization,
          each.minor < 0n ? 'refund' : each.name.startsWith('B') ? 'bill' : 'transfer',
        ),
      );
      const list = r.map((each, index): MatchRow => ({ id: `r${index}`, payerName: '', ...each }));
      const made = proposals(
        list,
        awaited,
        new Map([
          ['account 11111', ['org Alpha']],
          ['account 22222', ['org Alpha', 'org Beta']],
        ]),
      );
      const certain = made.filter((each) => each.certainty === 'certain');
      expect(new Set(certain.map((each) => each.target.id)).size).toBe(certain.length);
      for (const { rowId, target, certainty } of made) {
        const own = list.find((each) => each.id === rowId)!;
        expect(target.kind === 'refund').toBe(own.minor < 0n);
        if (certainty !== 'certain') continue;
        expect(target.minor).toBe(own.minor);
        // No other payment named by the row, or expected of its payer, would fit as well.
        const rivals = awaited.filter(
          (each) =>
            each.id !== target.id &&
            each.minor === own.minor &&
            each.codes.some((code) => target.codes.includes(code)) &&
            codesIn(own.words).some((code) => each.codes.includes(code)),
        );
        expect(rivals).toEqual([]);
      }
      expect(new Set(made.map((each) => each.rowId)).size).toBe(made.length);
    }),
    { numRuns: 500 },
  );
});
