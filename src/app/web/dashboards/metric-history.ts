// The figures seen since the page was opened, for their curves.
import { useState } from 'react';
import type { AdminDashboard } from '../../console/contract.ts';

/** Oldest first. Numbers for drawing only. */
export type MetricHistory = readonly Pick<AdminDashboard, 'asOf' | 'cpu' | 'memory' | 'disk' | 'users' | 'outboxWaiting'>[];

/** An hour at one reading every five seconds. */
const mostReadings = 720;

/** Adds a reading unless it is the one that was added last. */
export function withReading(history: MetricHistory, reading: MetricHistory[number]): MetricHistory {
  if (history.at(-1)?.asOf.getTime() === reading.asOf.getTime()) return history;
  return [...history, reading].slice(-mostReadings);
}

/** Keeps every answer since the component was mounted. */
export function useMetricHistory(now: AdminDashboard | undefined): MetricHistory {
  const [history, setHistory] = useState<MetricHistory>([]);
  const next = now ? withReading(history, now) : history;
  if (next !== history) setHistory(next);
  return next;
}
