// Random lives: whatever customers, resellers and Admins do, in any order, no cent is lost or made up, no
// call fails by the console's fault, a refused call changes nothing, and a repeated one nothing more; at the
// end everything that shows money agrees, and the independent checker finds nothing (R-BILL-05).
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { required } from '#kernel/assert.ts';
import { roundsOr } from '../support/fault-rounds.ts';
import { expectAgreement, expectSound } from '../support/lives-agreement.ts';
import { expectEnd } from '../support/lives-others.ts';
import { payingVerbs } from '../support/lives-paying.ts';
import { usingVerbs, type Numbers, type Verb } from '../support/lives-verbs.ts';
import { cardVerbs } from '../support/lives-cards.ts';
import { offeringVerbs } from '../support/lives-offering.ts';
import { guestVerbs } from '../support/lives-guests.ts';
import { timeVerbs } from '../support/lives-time.ts';
import { agreeingVerbs } from '../support/lives-agreeing.ts';
import { oddZones } from '../support/arbitraries.ts';
import { Lives } from '../support/lives.ts';

// Each life has a console of its own, and its seed replays it.
const first = Number(process.env['LIVES_SEED'] ?? 303);
const seeds = Array.from({ length: roundsOr(2) }, (_, index) => first + index);
const verbs: Readonly<Record<string, Verb>> = {
  ...usingVerbs,
  ...agreeingVerbs,
  ...payingVerbs,
  ...cardVerbs,
  ...offeringVerbs,
  ...guestVerbs,
  ...timeVerbs,
};

const numbers: fc.Arbitrary<Numbers> = fc.record({
  who: fc.nat(2),
  which: fc.nat(7),
  amount: fc.oneof(fc.integer({ min: 1, max: 150 }), fc.integer({ min: 1, max: 999 })),
  way: fc.nat(5),
  isRepeated: fc.boolean(),
});
/** How often a verb is chosen, if not once: what the others need most. */
const weights: Readonly<Record<string, number>> = {
  nextMonth: 8,
  subscribe: 5,
  send: 5,
  topUp: 5,
  pay: 4,
  card: 4,
  credit: 4,
  days: 3,
  refund: 3,
  dispute: 3,
  change: 3,
  endDispute: 2,
  withhold: 2,
  reissue: 2,
  void: 2,
  grant: 2,
  buyCredit: 2,
  commit: 2,
  discount: 2,
  interim: 2,
  payer: 2,
  pause: 2,
  resume: 2,
  seats: 2,
  saveCard: 4,
  collect: 4,
  endCharge: 2,
  topUpAutomatically: 2,
  quote: 2,
  code: 2,
  endDiscount: 2,
  einvoices: 2,
  correctEinvoice: 3,
  look: 2,
  closeOverMidnight: 2,
  timeZone: 2,
};
const step = fc.tuple(
  fc.oneof(
    ...Object.keys(verbs).map((verb) => ({ weight: weights[verb] ?? 1, arbitrary: fc.constant(verb) })),
  ),
  numbers,
);
const currencies = fc.tuple(
  fc.constant('TWD' as const),
  fc.constantFrom('USD' as const, 'TWD' as const),
  fc.constantFrom('KWD' as const, 'JPY' as const),
);
const aLife = fc.noBias(fc.tuple(currencies, fc.array(step, { minLength: 50, maxLength: 80 })));
/** The first customer's months end with the seller's; those of the others by turns. */
const zonesOf = (seed: number): readonly string[] => [
  'Asia/Taipei',
  required(oddZones[seed % oddZones.length], 'a time zone'),
  'Europe/Berlin',
];
const begun: Numbers = { who: 0, which: 0, amount: 500, way: 0, isRepeated: false };

describe.each(seeds)('a life, by the seed %i', (seed) => {
  let lives: Lives;
  beforeAll(async () => {
    lives = await Lives.start(seed % 3 === 0);
  });
  afterAll(() => lives.end());

  it('R-BILL-05: whatever is done in whatever order, money is neither lost nor made up', async () => {
    const [used, steps] = required(fc.sample(aLife, { seed, numRuns: 1 })[0], 'a life');
    const from = lives.day();
    for (const [index, currency] of used.entries())
      await lives.customer(currency, required(zonesOf(seed)[index], 'a time zone'));
    const all: (readonly [string, Numbers])[] = [
      ...used.map((_currency, who) => ['subscribe', { ...begun, who }] as const),
      ...steps,
      ['nextMonth', begun],
    ];
    try {
      for (const [name, asked] of all) {
        lives.console.clock.advance(5000);
        await lives.signIn();
        lives.journal.push(`-- ${name} ${JSON.stringify(asked)}`);
        await required(verbs[name], `the verb ${name}`)(lives, lives.person(asked.who), asked);
        await expectSound(lives);
      }
      if (seed % 4 === 0) {
        await expectEnd(lives);
        await expectSound(lives);
      }
      await expectAgreement(lives, from);
    } catch (error) {
      throw new Error(`${String(error)}\n${lives.journal.join('\n')}`, { cause: error });
    }
    expect(lives.faults).toEqual([]);
  }, 900_000);
});
