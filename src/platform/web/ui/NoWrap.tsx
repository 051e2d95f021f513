// Keeps the amounts, days and bill numbers of a sentence on one line: a browser may wrap after every hyphen
// (-NT$21, 2026-11-23) and every Chinese character.
import { Fragment, type ReactNode } from 'react';
import { shortFacts, unbreakablePieces } from '../format/unbreakable-pieces.ts';

/** Of short facts with dots between them, a line ends after a dot. */
export function NoWrap({ text }: { text: string }) {
  const facts = shortFacts(text);
  if (facts.length < 2) return <Whole text={text} />;
  return (
    <span>
      {facts.map((fact, index) => (
        <Fragment key={index}>
          {index > 0 && ' '}
          {/* One that is longer than its line wraps, and does not widen the column of a table. */}
          <span data-whole="" style={{ display: 'inline-block', maxWidth: '100%' }}>
            <Whole text={fact} />
            {/* A dot that no longer fits takes the last word with it, so that it never stands on a line of its own. */}
            {index < facts.length - 1 && '\u00a0·'}
          </span>
        </Fragment>
      ))}
    </span>
  );
}

function Whole({ text }: { text: string }) {
  const pieces = unbreakablePieces(text);
  // A flex container would make each piece a separate item, so the sentence is wrapped in one element.
  return pieces.every(({ isWhole }) => !isWhole) ? (
    text
  ) : (
    <span>
      {pieces.map(({ piece, isWhole }, index) =>
        isWhole ? (
          <span key={index} data-whole="" style={{ whiteSpace: 'nowrap' }}>
            {piece}
          </span>
        ) : (
          <Fragment key={index}>{piece}</Fragment>
        ),
      )}
    </span>
  );
}

/** Wraps a plain text in {@link NoWrap}; renders any other content as it is. */
export function Words({ children }: { children: ReactNode }) {
  return typeof children === 'string' ? <NoWrap text={children} /> : children;
}
