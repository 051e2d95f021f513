// Rules of dunning: which steps of a schedule are due, in which order, and their effect over days.
import type { LocalDay } from '#kernel/shape.ts';
import { addDays } from '#kernel/time.ts';
import type { DunningAction, DunningPlan, DunningStep } from './contract.ts';

/** Reminders around the due date, then past due, then suspension (domain.md). */
export const initialSteps: readonly DunningStep[] = [
  ...[-3, 0, 3, 7].map((day): DunningStep => ({ day, action: 'reminder' })),
  { day: 10, action: 'past_due' },
  { day: 14, action: 'suspend' },
];

/** A step that was taken: its name, and its day on the schedule at that time. */
export type EarlierStep = { readonly step: string; readonly day: number };
/** A step to take now; a reminder superseded by a newer one is never sent. */
export type DueStep = DunningStep & { readonly step: string; readonly isSkipped: boolean };

/** A step's name: past due and suspension happen once on any day, reminders once per day. */
export const stepName = ({ day, action }: DunningStep): string =>
  action === 'reminder' ? `reminder ${day}` : action;

/** Longer than any schedule: a bill charged to a card is not suspended before the last attempt. */
const whileCollected = 1000;

/** How many days a bill's suspension waits: for its card's last attempt, or for a payment in transit. */
export const deferredDays = (
  billId: string,
  deferDays: number,
  beingPaid: ReadonlySet<string>,
  collected: ReadonlyMap<string, unknown>,
): number => (collected.has(billId) ? whileCollected : beingPaid.has(billId) ? deferDays : 0);

/**
 * Returns the steps to take, in order, `elapsed` days after the due date, each once. Of several reminders,
 * only the newest is sent; past due and suspension are never skipped, and suspension follows past due. A
 * suspension waits `deferDays` longer, and later steps wait with it. A reminder whose day is before a step
 * already taken is no longer sent.
 */
export function dueSteps(
  steps: readonly DunningStep[],
  elapsed: number,
  taken: readonly EarlierStep[],
  deferDays: number,
): DueStep[] {
  const names = new Set(taken.map((each) => each.step));
  const mark = taken.reduce((last, each) => Math.max(last, each.day), Number.NEGATIVE_INFINITY);
  const due: (DunningStep & { step: string })[] = [];
  for (const each of steps) {
    const step = stepName(each);
    if (
      names.has(step) ||
      (each.action === 'past_due' && names.has('suspend')) ||
      (each.action === 'reminder' && each.day <= mark)
    )
      continue;
    if (each.day + (each.action === 'suspend' ? deferDays : 0) > elapsed) break;
    due.push({ ...each, step });
  }
  const newest = due.findLast((each) => each.action === 'reminder');
  return due.map((each) => ({ ...each, isSkipped: each.action === 'reminder' && each !== newest }));
}

/**
 * The steps of a schedule for a bill: without restrictions if it is for the services of an exempt organization.
 */
export const stepsFor = (
  steps: readonly DunningStep[],
  { isUserExempt }: { readonly isUserExempt: boolean },
): readonly DunningStep[] => (isUserExempt ? steps.filter(({ action }) => action === 'reminder') : steps);

/**
 * Returns the steps of a bill day by day, from `elapsed` days after its due date on, if it is never paid;
 * `after` counts days from now.
 */
export function courseOf(
  steps: readonly DunningStep[],
  elapsed: number,
  taken: readonly EarlierStep[],
  deferDays: number,
  days: number,
): (DueStep & { readonly after: number })[] {
  const all: (DueStep & { after: number })[] = [];
  const soFar = [...taken];
  for (let after = 0; after <= days; after++) {
    for (const step of dueSteps(steps, elapsed + after, soFar, deferDays)) {
      soFar.push({ step: step.step, day: step.day });
      all.push({ ...step, after });
    }
  }
  return all;
}

/**
 * Returns the next step of a bill and the day it is due, which is today if it is already due; undefined at
 * the end of the schedule.
 */
export function nextOf(
  steps: readonly DunningStep[],
  {
    base,
    elapsed,
    taken,
    deferDays,
  }: {
    readonly base: LocalDay;
    readonly elapsed: number;
    readonly taken: readonly EarlierStep[];
    readonly deferDays: number;
  },
  action?: DunningAction,
): { action: DunningAction; on: LocalDay } | undefined {
  const last = steps.at(-1)?.day ?? 0;
  const found = courseOf(
    steps,
    elapsed,
    taken,
    deferDays,
    Math.max(0, last + (deferDays < whileCollected ? deferDays : 0) - elapsed),
  ).find((each) => !each.isSkipped && (action === undefined || each.action === action));
  return found && { action: found.action, on: addDays(base, elapsed + found.after) };
}

export type PlanMistake = {
  readonly field: 'plan.steps' | 'plan.minimums';
  readonly code:
    | 'dunning.days_not_rising'
    | 'dunning.past_due_twice'
    | 'dunning.suspend_order'
    | 'dunning.held_early'
    | 'dunning.minimum_twice';
};

/** Why a schedule is invalid; undefined if it is valid. */
export function planMistake({
  steps,
  minimums,
}: Pick<DunningPlan, 'steps' | 'minimums'>): PlanMistake | undefined {
  const mistake = (code: PlanMistake['code']): PlanMistake => ({ field: 'plan.steps', code });
  if (steps.some((each, index) => index > 0 && each.day <= (steps[index - 1]?.day ?? 0)))
    return mistake('dunning.days_not_rising');
  const places = (action: DunningAction): number[] =>
    steps.flatMap((each, index) => (each.action === action ? [index] : []));
  const [pastDue, suspend] = [places('past_due'), places('suspend')];
  if (pastDue.length > 1 || suspend.length > 1) return mistake('dunning.past_due_twice');
  if (suspend[0] !== undefined && (pastDue[0] === undefined || suspend[0] < pastDue[0]))
    return mistake('dunning.suspend_order');
  // Before the due date the bill is not overdue, so only reminders are allowed there.
  if (steps.some((each) => each.action !== 'reminder' && each.day < 1)) return mistake('dunning.held_early');
  return new Set(minimums.map((each) => each.currency)).size < minimums.length ||
    minimums.some((each) => each.minor < 0n)
    ? { field: 'plan.minimums', code: 'dunning.minimum_twice' }
    : undefined;
}
