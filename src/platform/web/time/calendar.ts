// Months and days for pickers, with integer arithmetic: no time zone, clock or library.

/** Adds months to 'YYYY-MM': ('2026-01', -1) is '2025-12'. */
export function shiftMonth(month: string, count: number): string {
  const index =
    Number.parseInt(month.slice(0, 4), 10) * 12 + Number.parseInt(month.slice(5, 7), 10) - 1 + count;
  return `${String(Math.floor(index / 12)).padStart(4, '0')}-${String((index % 12) + 1).padStart(2, '0')}`;
}

/** Adds days to 'YYYY-MM-DD'. */
export function shiftDay(day: string, count: number): string {
  const at = new Date(`${day}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() + count);
  return at.toISOString().slice(0, 10);
}
