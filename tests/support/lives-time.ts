// Time as it passes in reality: organizations move to other time zones, clocks are set back, and a close that
// begins before midnight ends after it.
import { identity } from '#features/access/identity/contract.ts';
import { billing } from '#features/invoicing/billing/contract.ts';
import { oddZones } from './arbitraries.ts';
import { expectNoFault, payingVerbs } from './lives-paying.ts';
import { of, usingVerbs, type Verb } from './lives-verbs.ts';

export const timeVerbs = {
  // Refused once something is billed. Eastward the last month may be over at once, and is closed by the next run.
  timeZone: async (lives, person, { which }) => {
    const moved = await lives.attempt(
      identity.updateOrganization,
      { timeZone: of(oddZones, which) },
      person.token,
    );
    if (!moved) return;
    lives.console.clock.advance(61_000);
    await lives.attempt(billing.closeMonth, { month: lives.month(-1) }, lives.admin);
  },
  // By a second, an hour, or more than a day, as machines are corrected; and forward again.
  clockBack: async (lives, person, numbers) => {
    const { clock } = lives.console;
    const before = lives.now;
    clock.set(new Date(before - ([1, 3600, 100_000][numbers.way % 3] ?? 1) * 1000));
    await lives.signIn(true);
    await usingVerbs.subscribe(lives, lives.person(numbers.who), numbers);
    await usingVerbs.seats(lives, person, numbers);
    await usingVerbs.pause(lives, person, { ...numbers, way: 0 });
    await payingVerbs.pay(lives, person, numbers);
    await lives.runJobs();
    clock.set(new Date(before + 1000));
    await lives.runJobs();
    await lives.signIn(true);
  },
  closeOverMidnight: async (lives) => {
    const { clock } = lives.console;
    const midnight = Date.parse(`${lives.month(1)}-01T00:00:00+08:00`);
    clock.set(new Date(midnight - 1));
    await lives.signIn(true);
    const close = () => lives.console.call(billing.closeMonth, { month: lives.month(-1) }, lives.asAdmin);
    // The month before this one, and this one, which is over a millisecond later.
    const before = close();
    clock.set(new Date(midnight));
    expectNoFault(await Promise.all([before, close()]));
    clock.advance(61_000);
    lives.forget();
    await lives.settle();
    await lives.runJobs();
    await lives.signIn(true);
  },
} as const satisfies Record<string, Verb>;
