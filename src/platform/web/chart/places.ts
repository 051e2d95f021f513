// Moving through a chart's places with the keyboard.

/** Where an arrow key leads; undefined for other keys. */
export function nextPlace(key: string, active: number | undefined, count: number): number | undefined {
  if (count === 0) return undefined;
  if (key === 'ArrowRight' || key === 'ArrowDown')
    return active === undefined ? 0 : Math.min(active + 1, count - 1);
  if (key === 'ArrowLeft' || key === 'ArrowUp')
    return active === undefined ? count - 1 : Math.max(active - 1, 0);
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : undefined;
}
