// Rules of push: texts that fit on a small screen.

/** Cuts a text to at most `most` characters (code points), with an ellipsis. */
export function shortened(text: string, most: number): string {
  const letters = [...text];
  return letters.length <= most ? text : `${letters.slice(0, most - 1).join('')}…`;
}
