// Durations in milliseconds. A day of a calendar can be longer or shorter: see time.ts.

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
