// Rules of push: texts that fit on a small screen.

/** A text of at most so many characters (code points), cut with an ellipsis. */
export function shortened(text: string, most: number): string {
  const letters = [...text];
  return letters.length <= most ? text : `${letters.slice(0, most - 1).join('')}…`;
}
