// Named places between a commit and a call to another server, where a process may die; tests let it die there.
import type { World } from './unit-of-work/ctx.ts';

const armed = new WeakMap<World, (point: string) => void>();

/** Lets a test end what runs at a named place: `reach` throws there. Without it the places do nothing. */
export function armFailPoints(world: World, reach: ((point: string) => void) | undefined): void {
  if (reach) armed.set(world, reach);
  else armed.delete(world);
}

/** Says that a place was reached: everything before it has happened, nothing after it. */
export function failPoint(world: World, point: string): void {
  armed.get(world)?.(point);
}
