// What is done with saved cards: automatic charges of bills, their failures and retries, and automatic top-ups.
import { money, type Money } from '#kernel/money.ts';
import { collection } from '#features/receivables/collection/contract.ts';
import { topups } from '#features/receivables/top-ups/contract.ts';
import { runFeatureJob } from './jobs.ts';
import { of, type Verb } from './lives-verbs.ts';
import type { Lives } from './lives.ts';

/** What a bank may answer to the next charges; the empty text is a success. */
const answers = [
  ['insufficient_funds', ''],
  ['processing'],
  ['stolen_card'],
  ['authentication_required'],
  ['insufficient_funds', 'insufficient_funds', 'insufficient_funds'],
  ['', 'do_not_honor'],
] as const;
const mishaps = ['lost before', 'lost after', 'fault'] as const;

/** Charges what is due, while the bank or the way to it has a bad day. */
async function charge(lives: Lives, job: string, amount: number, way: number): Promise<void> {
  const { cards } = lives.stripe;
  if (amount % 4 === 0) lives.stripe.mishaps.push(mishaps[way % 3] ?? 'fault');
  else if (amount % 4 < 3) cards.declines.push(...(answers[way] ?? ['']));
  lives.journal.push(`${job}, ${lives.stripe.mishaps.join()}${cards.declines.join()}`);
  await runFeatureJob(lives.console.app, job);
  lives.stripe.mishaps.length = 0;
  cards.declines.length = 0;
  lives.forget();
  await lives.settle();
}

/** Rounded down to what cards can be charged: dinars only by 10 fils. */
const inSteps = ({ minor, currency }: Money): Money =>
  money(currency === 'KWD' ? minor - (minor % 10n) : minor, currency);

export const cardVerbs = {
  saveCard: async (lives, { token }, { amount, way }) => {
    const made = await lives.attempt(collection.addCard, { consents: true, language: 'enUS' }, token);
    if (!made) return;
    // Of a few cards, so that some are entered again, and some expire during a life.
    const entered = lives.stripe.cards.enter(made.url, {
      fingerprint: `card ${amount % 4}`,
      ...(way === 5 && { exp_year: 2024, exp_month: 12 }),
    });
    // The notice that it was saved may get lost: the console asks.
    if (way !== 4) await lives.stripeSends(lives.stripe.event('checkout.session.completed', entered));
    await lives.attempt(collection.setCollection, { isOn: true }, token);
  },
  otherCard: async (lives, { token }, { which, way }) => {
    const { status, data } = await lives.console.call(collection.listCards, {}, { token });
    const card = status === 200 ? of(data.cards, which) : undefined;
    if (card)
      await lives.attempt(
        way > 2 ? collection.removeCard : collection.setDefaultCard,
        { cardId: card.id },
        token,
      );
  },
  collection: (lives, { organizationId, token }, { way, isRepeated }) =>
    way === 5
      ? lives.attempt(collection.stopCollection, { organizationId }, lives.admin, isRepeated)
      : lives.attempt(collection.setCollection, { isOn: way < 4 }, token),
  collectionPlan: (lives, _person, { way, amount }) =>
    lives.attempt(
      collection.saveCollectionPlan,
      {
        firstDay: (['issue', 'due', 'before'] as const)[way % 3]!,
        daysBefore: 3,
        retryDays: amount % 2 === 0 ? [1, 3, 5, 7] : [2],
      },
      lives.admin,
    ),
  collect: (lives, _person, { amount, way }) => charge(lives, 'collect', amount, way),
  endCharge: async (lives, _person, { which, way }) => {
    const charges = [...lives.stripe.cards.charges.values()];
    const one = of(
      charges.filter(({ status }) => status === 'processing'),
      which,
    );
    if (!one) return;
    if (way < 4) Object.assign(one, { status: 'succeeded', amount_received: one.amount });
    else
      Object.assign(one, {
        status: 'requires_payment_method',
        last_payment_error: { code: 'card_declined', decline_code: 'do_not_honor' },
      });
    // Told twice, or not at all: then the console asks.
    const event = lives.stripe.event(
      way < 4 ? 'payment_intent.succeeded' : 'payment_intent.payment_failed',
      one,
    );
    for (let times = way % 3; times > 0; times--) await lives.stripeSends(event);
  },
  topUpAutomatically: async (lives, person, { amount, way }) => {
    const { token } = person;
    if (way === 5) await lives.attempt(topups.endAutomaticTopUp, { currency: person.currency }, token);
    else
      await lives.attempt(
        topups.setAutomaticTopUp,
        {
          threshold: lives.amountOf(person, amount),
          amount: inSteps(lives.amountOf(person, amount * 2)),
          monthlyCap: lives.amountOf(person, amount * (2 + way) + 7),
          consents: true,
          language: 'enUS',
        },
        token,
      );
    await charge(lives, 'top-up-balances', amount, way);
  },
  topUpBalances: (lives, _person, { amount, way }) => charge(lives, 'top-up-balances', amount, way),
  endTopUps: (lives, { organizationId, currency }, { isRepeated }) =>
    lives.attempt(topups.adminEndTopUp, { organizationId, currency }, lives.admin, isRepeated),
} as const satisfies Record<string, Verb>;
