/** Splits a text into a list at spaces, commas or line breaks. */
export const typedList = (typed: string): string[] => typed.split(/[\s,]+/).filter((each) => each !== '');
