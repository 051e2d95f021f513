// Places where a long word may wrap.
import { Fragment, type ReactNode } from 'react';

/** The parts of a word, which may wrap between them and still reads and copies as one. */
export const withLineBreaks = (parts: readonly string[]): ReactNode =>
  parts.map((part, index) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));

/** Of a short Chinese sentence, a line ends after a comma, not within a word. */
export const atCommas = { '&:lang(zh)': { wordBreak: 'keep-all', overflowWrap: 'anywhere' } } as const;
