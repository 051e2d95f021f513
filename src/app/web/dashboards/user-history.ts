// How many users were active since the page was opened, for their curve.
import { useState } from 'react';
import type { AdminDashboard } from '../../console/contract.ts';

/** Oldest first. Numbers for drawing only. */
export type UserHistory = readonly Pick<AdminDashboard, 'asOf' | 'users'>[];

/** An hour at one reading every five seconds. */
const mostReadings = 720;

/** Adds a reading unless it is the one that was added last. */
export function withReading(history: UserHistory, reading: UserHistory[number]): UserHistory {
  if (history.at(-1)?.asOf.getTime() === reading.asOf.getTime()) return history;
  return [...history, reading].slice(-mostReadings);
}

/** Keeps every answer since the component was mounted. */
export function useUserHistory(now: AdminDashboard | undefined): UserHistory {
  const [history, setHistory] = useState<UserHistory>([]);
  const next = now ? withReading(history, now) : history;
  if (next !== history) setHistory(next);
  return next;
}
