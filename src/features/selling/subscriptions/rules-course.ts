// The course of a subscription: its state at a given time, due changes, the end of its terms, and the
// direction of a plan change.
import type { LocalDay } from '#kernel/shape.ts';
import { addDays, dayOf, dayPeriod, monthOf, monthPeriod, type Period } from '#kernel/time.ts';
import type { Pricing, Service } from '#features/selling/catalogue/contract.ts';
import type { ChangePreview, HistoryAction, SubscriptionState } from './contract.ts';
import { isAddOn } from '#features/selling/catalogue/rules.ts';
import { termFee, type Units } from './rules-charges.ts';
import { termOf, yearOf, type PauseSpan, type Phase, type Timeline } from './rules-fees.ts';

/** A phase or pause, with which of its changes have been applied. */
export type AppliedPhase = Phase & { readonly position: number; readonly isApplied: boolean };
export type AppliedPause = PauseSpan & {
  readonly position: number;
  readonly isBegun: boolean;
  readonly isOver: boolean;
};
/** The fields of a subscription that determine its course. */
export type Course = Omit<Timeline, 'phases' | 'pauses'> & {
  readonly state: SubscriptionState;
  /** The state without a hold for unpaid bills; null if there is no hold. */
  readonly heldState?: SubscriptionState | null;
  readonly autoRenew: boolean;
  /** Its own end, while `endsAt` may also depend on other facts. */
  readonly ownEndsAt?: Date | null;
  readonly timeZone: string;
  /** For an add-on, the subscription it was added to; an add-on never expires, it ends. */
  readonly parentId?: string | null;
  readonly phases: readonly AppliedPhase[];
  readonly pauses: readonly AppliedPause[];
};

/** A change that has come due. */
export type Step = {
  readonly at: Date;
  readonly action: HistoryAction;
  readonly from: SubscriptionState;
  readonly to: SubscriptionState;
  readonly phase?: AppliedPhase;
  readonly pause?: AppliedPause;
  readonly term?: Period;
};

/** Returns the phase in force at a given time; the first one applies from the start. */
export function phaseAt<P extends Phase>(phases: readonly P[], now: Date): P {
  const [first] = phases;
  if (!first) throw new Error('a subscription without a phase');
  return phases.findLast((phase) => phase.from <= now) ?? first;
}
/** Returns the pause that covers a given time. */
export function pauseAt<P extends PauseSpan>(pauses: readonly P[], now: Date): P | undefined {
  return pauses.find((pause) => pause.from <= now && (pause.until === null || pause.until > now));
}

/**
 * Whether usage at a given time counts: while the subscription is served, including the trial; late reports
 * of such usage always count.
 */
export function acceptsUsageAt(
  course: Pick<Timeline, 'startedAt' | 'endsAt' | 'pauses'> & { readonly state: SubscriptionState },
  moment: Date,
): boolean {
  return course.state !== 'suspended' && isServedAt(course, moment);
}

/**
 * The pause whose planned end is due and not applied yet; undefined if the subscription has ended since.
 */
export function pauseToEnd(course: Course, now: Date): AppliedPause | undefined {
  if (!isOpen(course.state) || (course.endsAt !== null && course.endsAt <= now)) return undefined;
  return course.pauses.find(
    ({ from, until, isOver }) => !isOver && until !== null && from < until && until <= now,
  );
}

/** Whether a time lies between start and end and in no pause, whatever the current state. */
export function isServedAt(course: Pick<Timeline, 'startedAt' | 'endsAt' | 'pauses'>, moment: Date): boolean {
  return (
    moment >= course.startedAt &&
    (course.endsAt === null || moment < course.endsAt) &&
    (course.pauses.length === 0 || !pauseAt(course.pauses, moment))
  );
}

/**
 * Whether a subscription has started: it does not start later, and is not an add-on that ended before its
 * start because it was called off or its subscription ended first.
 */
export function hasBegun(
  { startedAt, endsAt, parentId }: Pick<Course, 'startedAt' | 'endsAt' | 'parentId'>,
  now: Date,
): boolean {
  return startedAt <= now && (!parentId || endsAt === null || endsAt > startedAt);
}

/** Whether a subscription has not ended. */
export const isOpen = (state: SubscriptionState): boolean => state !== 'canceled' && state !== 'expired';

type Due = { readonly at: Date; readonly rank: number; readonly make: (state: SubscriptionState) => Step };

/**
 * Returns the changes that have come due and are not applied yet, in order. Changes scheduled after the end
 * never come due.
 */
export function dueSteps(course: Course, yearlyTerms: readonly Period[], now: Date): Step[] {
  if (!isOpen(course.state)) return [];
  const horizon = course.endsAt !== null && course.endsAt < now ? course.endsAt : now;
  const isDue = (moment: Date): boolean =>
    moment <= horizon && (course.endsAt === null || moment < course.endsAt);
  const due: Due[] = [
    ...((course.heldState ?? course.state) === 'scheduled' && isDue(course.startedAt)
      ? [
          {
            at: course.startedAt,
            rank: 0,
            make: (state: SubscriptionState): Step => ({
              at: course.startedAt,
              action: 'begin',
              from: state,
              to: course.ownEndsAt ? 'cancelling' : pauseAt(course.pauses, now) ? 'paused' : 'active',
            }),
          },
        ]
      : []),
    ...course.phases
      .filter((phase) => !phase.isApplied && isDue(phase.from))
      .map((phase): Due => ({
        at: phase.from,
        rank: 1,
        make: (state) => ({ at: phase.from, action: 'change', from: state, to: state, phase }),
      })),
    ...yearlyTerms
      .filter((term) => isDue(term.start))
      .map((term): Due => ({
        at: term.start,
        rank: 2,
        make: (state) => ({ at: term.start, action: 'renew_by_itself', from: state, to: state, term }),
      })),
    ...course.pauses.flatMap((pause): Due[] => {
      const { from, until } = pause;
      // A pause that ends when it starts is ignored: ordered by rank, its end would come first, and it would
      // never end.
      if (!pause.isBegun && until !== null && until <= from) return [];
      return [
        ...(!pause.isBegun && isDue(from)
          ? [
              {
                at: from,
                rank: 3,
                make: (state: SubscriptionState): Step => ({
                  at: from,
                  action: 'stop',
                  from: state,
                  to: state === 'active' ? 'paused' : state,
                  pause,
                }),
              },
            ]
          : []),
        ...(!pause.isOver && until !== null && isDue(until)
          ? [
              {
                at: until,
                rank: 0,
                make: (state: SubscriptionState): Step => ({
                  at: until,
                  action: 'start',
                  from: state,
                  to: state === 'paused' ? 'active' : state,
                  pause,
                }),
              },
            ]
          : []),
      ];
    }),
  ];
  let state = course.heldState ?? course.state;
  const steps = due
    .toSorted((a, b) => a.at.getTime() - b.at.getTime() || a.rank - b.rank)
    .map(({ make }) => {
      const step = make(state);
      state = step.to;
      return step;
    });
  const { endsAt } = course;
  if (endsAt !== null && endsAt <= now)
    steps.push(
      state === 'cancelling' || course.parentId
        ? { at: endsAt, action: 'end', from: state, to: 'canceled' }
        : { at: endsAt, action: 'expire', from: state, to: 'expired' },
    );
  return steps;
}

/** Returns the state at a given time, whether or not due changes were applied to the row. */
export function stateAt(course: Course, now: Date): SubscriptionState {
  const last = dueSteps(course, [], now).at(-1);
  return last ? shownState(course, last.to) : course.state;
}

/**
 * The state to store when the course has reached a state: a held subscription keeps its hold until its end.
 */
export function shownState(
  { state, heldState }: Pick<Course, 'state' | 'heldState'>,
  to: SubscriptionState,
): SubscriptionState {
  return heldState && isOpen(to) ? state : to;
}

/** Returns when the next change comes due; null if none will without an action. */
export function nextStepAt(course: Course, yearEnd: Date | null, now: Date): Date | null {
  if (!isOpen(course.state)) return null;
  const moments = [
    course.startedAt,
    course.endsAt,
    yearEnd,
    ...course.phases.filter((phase) => !phase.isApplied).map((phase) => phase.from),
    ...course.pauses
      .filter((pause) => !pause.isOver)
      .flatMap((pause) => [pause.isBegun ? null : pause.from, pause.until]),
  ].filter((moment) => moment !== null && moment > now);
  return moments.reduce<Date | null>(
    (first, moment) => (moment !== null && (first === null || moment < first) ? moment : first),
    null,
  );
}

/** Returns the years that start in (after, until], in order. */
export function yearsBetween(anchor: LocalDay, zone: string, after: Date, until: Date): Period[] {
  const years: Period[] = [];
  for (let count = 0; ; count++) {
    const term = termOf(anchor, count, zone);
    if (term.start > until) return years;
    if (term.start > after) years.push(term);
  }
}

/** The end of the month that contains a given time. */
export function monthEnd(moment: Date, zone: string): Date {
  return monthPeriod(monthOf(moment, zone), zone).end;
}

/**
 * Returns when a term that starts at a given time ends: at the end of the calendar month, or a year after the
 * anchor.
 */
export function termEnd(start: Date, yearAnchor: LocalDay | null, zone: string): Date {
  return yearAnchor === null ? monthEnd(start, zone) : yearOf(yearAnchor, start, zone).end;
}

/**
 * The anchor of a plan's years if it starts at a given time: the trial's end, or the current year of a yearly
 * plan.
 */
export function anchorOf(
  cycle: Service['billingCycle'],
  before: LocalDay | null,
  from: Date,
  trialEndsAt: Date | null,
  zone: string,
): LocalDay | null {
  if (cycle === 'monthly') return null;
  return before ?? dayOf(trialEndsAt && trialEndsAt > from ? trialEndsAt : from, zone);
}

/**
 * The end of the paid or free period at a given time: of the trial, the year or the month. Cancellations and
 * downgrades take effect then.
 */
export function periodEnd(course: Pick<Course, 'trialEndsAt' | 'timeZone' | 'phases'>, now: Date): Date {
  if (course.trialEndsAt && course.trialEndsAt > now) return course.trialEndsAt;
  return termEnd(now, phaseAt(course.phases, now).yearAnchor, course.timeZone);
}

/** The first day after the trial: that many calendar days after the start day. */
export function trialEnd(startedAt: Date, trialDays: number, zone: string): Date | null {
  return trialDays === 0 ? null : dayPeriod(addDays(dayOf(startedAt, zone), trialDays), zone).start;
}

type Offer = Units & {
  readonly pricing: Pricing;
  readonly billingCycle: Service['billingCycle'];
};

/** Compares two offers by their monthly base fee. */
export function directionOf(from: Offer, to: Offer): ChangePreview['direction'] {
  const yearly = ({ pricing, billingCycle, ...units }: Offer) =>
    termFee(pricing, units).times(billingCycle === 'yearly' ? '1' : '12');
  const difference = yearly(to).cmp(yearly(from));
  return difference > 0 ? 'upgrade' : difference < 0 ? 'downgrade' : 'equal';
}

/** When a change takes effect: upgrades immediately unless postponed, downgrades at the end of the period. */
export function changeMoment(
  direction: ChangePreview['direction'],
  when: 'now' | 'end' | undefined,
  now: Date,
  end: Date,
): Date {
  return when === 'end' || direction === 'downgrade' ? end : now;
}

/** How long a preview's amounts can be confirmed; with proration by the second they change constantly. */
export const previewHoldsMs = 10 * 60_000;

/**
 * Whether a change may take effect as of its preview: the preview is minutes old, in the same month and term,
 * and the subscription has not changed since.
 */
export function isPreviewed(course: Course, previewed: Date, now: Date): boolean {
  const age = now.getTime() - previewed.getTime();
  return (
    age >= 0 &&
    age <= previewHoldsMs &&
    course.phases.every((phase) => phase.from < previewed || phase.from > now) &&
    monthOf(previewed, course.timeZone) === monthOf(now, course.timeZone) &&
    periodEnd(course, previewed).getTime() === periodEnd(course, now).getTime() &&
    stateAt(course, previewed) === stateAt(course, now)
  );
}

export type PlanMistake =
  | 'subscriptions.plan_not_found'
  | 'subscriptions.plan_not_available'
  | 'subscriptions.other_family'
  | 'subscriptions.other_currency'
  | 'subscriptions.other_meter';

/** Why a subscription cannot change from one service to another; undefined if it can. */
export function planMistake(from: Service, to: Service | undefined): PlanMistake | undefined {
  if (!to) return 'subscriptions.plan_not_found';
  if (from.id === to.id) return undefined;
  if (isAddOn(from) !== isAddOn(to)) return 'subscriptions.other_family';
  if (from.family === '' || from.family !== to.family) return 'subscriptions.other_family';
  if (to.status !== 'active' || to.releaseState === 'Coming Soon') return 'subscriptions.plan_not_available';
  if (from.pricing.currency !== to.pricing.currency) return 'subscriptions.other_currency';
  // Usage continues to count after a plan change, so plans that measure different things cannot share a
  // month.
  const counts = ({ meter }: Service): string =>
    JSON.stringify([meter.eventType, meter.aggregation, meter.property]);
  return counts(from) === counts(to) ? undefined : 'subscriptions.other_meter';
}
