// Keeps the amounts, days and bill numbers of a sentence on one line: a browser may wrap after every hyphen
// (-NT$21, 2026-11-23) and every Chinese character.
import { Fragment, type ReactNode } from 'react';
import { unbreakablePieces } from '../format/unbreakable-pieces.ts';

export function NoWrap({ text }: { text: string }) {
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
