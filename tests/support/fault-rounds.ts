// How often tests kill processes, and how many random histories they replay: a few in normal runs, many more
// in `npm run faults`.
const asked = process.env['FAULT_ROUNDS'];

/** Whether this is the long run by `npm run faults`. */
export const isLong = asked !== undefined;

/** The number of rounds or histories of one test: as set by `npm run faults`, else `short`. */
export const roundsOr = (short: number): number => (asked === undefined ? short : Number.parseInt(asked, 10));

/** How often a test kills: by default once for each way to fail, the console and its database. */
export const faultRounds = roundsOr(2);
