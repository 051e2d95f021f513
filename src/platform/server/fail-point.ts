// Named points between a commit and a call to another server, where a process may crash; tests make it crash
// there.
import type { App } from './unit-of-work/ctx.ts';

const armed = new WeakMap<App, (point: string) => void>();

/** Lets a test interrupt at named points by throwing in `reach`. Unarmed, fail points do nothing. */
export function armFailPoints(app: App, reach: ((point: string) => void) | undefined): void {
  if (reach) armed.set(app, reach);
  else armed.delete(app);
}

/** Marks a point: everything before it has happened, nothing after it. */
export function failPoint(app: App, point: string): void {
  armed.get(app)?.(point);
}
