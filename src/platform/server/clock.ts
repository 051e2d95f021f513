// The only place on the server that reads the wall clock, so that every test can move time.

/** A source of the current time. `now()` returns a fresh `Date` each time; callers may keep it. */
export type Clock = { now(): Date };

/** A clock that stands still until a test moves it. */
export type MovableClock = Clock & {
  /** Jumps to `moment`, forwards or backwards. */
  set(moment: Date): void;
  /** Moves by `milliseconds`; a negative number moves back. */
  advance(milliseconds: number): void;
};

/** A clock that follows the system clock until it is moved. */
export type DevelopmentClock = Clock & {
  /** Continues from `moment`. */
  set(moment: Date): void;
  /** Shows the system's time again. */
  follow(): void;
};

/** The system clock. */
export function systemClock(): Clock {
  return { now: () => new Date() };
}

/** A clock that follows the system clock until it is moved, then continues from there; for development. */
export function developmentClock(): DevelopmentClock {
  let aheadMs = 0;
  return {
    now: () => new Date(Date.now() + aheadMs),
    set: (moment) => {
      aheadMs = moment.getTime() - Date.now();
    },
    follow: () => {
      aheadMs = 0;
    },
  };
}

/** A clock for tests, standing at `start` until moved. */
export function movableClock(start: Date): MovableClock {
  let current = start.getTime();
  return {
    now: () => new Date(current),
    set: (moment) => {
      current = moment.getTime();
    },
    advance: (milliseconds) => {
      current += milliseconds;
    },
  };
}
