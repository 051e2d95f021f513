// How often tests kill, and how many random histories they live through: a few where people wait, many more when `npm run faults` asks for it.
const asked = process.env['FAULT_ROUNDS'];

/** Whether this is the long form, which `npm run faults` runs. */
export const isLong = asked !== undefined;

/** Rounds or histories of one test: what `npm run faults` asks for, else `short`. */
export const roundsOr = (short: number): number => (asked === undefined ? short : Number.parseInt(asked, 10));

/** How often a test kills: each of two ways to die once, the console and the database under it. */
export const faultRounds = roundsOr(2);
