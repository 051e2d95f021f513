// Named places between a commit and a call to another server, where a process may die; tests let it die there.
import type { App } from './unit-of-work/ctx.ts';

const armed = new WeakMap<App, (point: string) => void>();

/** Lets a test end what runs at a named place: `reach` throws there. Without it the places do nothing. */
export function armFailPoints(app: App, reach: ((point: string) => void) | undefined): void {
  if (reach) armed.set(app, reach);
  else armed.delete(app);
}

/** Says that a place was reached: everything before it has happened, nothing after it. */
export function failPoint(app: App, point: string): void {
  armed.get(app)?.(point);
}
