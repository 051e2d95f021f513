// Collects the number of active users since the page was opened, for a curve.
import { useState } from 'react';
import type { AdminDashboard } from '../../console/contract.ts';

/** Oldest first. For drawing only. */
export type UserHistory = readonly Pick<AdminDashboard, 'asOf' | 'users'>[];

/** An hour of readings, one every five seconds. */
const maxReadings = 720;

/** Adds a reading unless it was added already. */
export function withReading(history: UserHistory, reading: UserHistory[number]): UserHistory {
  if (history.at(-1)?.asOf.getTime() === reading.asOf.getTime()) return history;
  return [...history, reading].slice(-maxReadings);
}

/** Keeps every answer since the component was mounted. */
export function useUserHistory(dashboard: AdminDashboard | undefined): UserHistory {
  const [history, setHistory] = useState<UserHistory>([]);
  const next = dashboard ? withReading(history, dashboard) : history;
  if (next !== history) setHistory(next);
  return next;
}
