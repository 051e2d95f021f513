/** What was typed into one field as a list: apart by spaces, commas or lines. */
export const typedList = (typed: string): string[] => typed.split(/[\s,]+/).filter((each) => each !== '');
