// A sentence whose amounts, days and numbers of bills stay on one line: a browser may break a line behind every hyphen (-NT$21, 2026-11-23) and every Chinese sign.
import { Fragment, type ReactNode } from 'react';
import { wholePieces } from '../format/whole-pieces.ts';

export function NoWrap({ text }: { text: string }) {
  const pieces = wholePieces(text);
  // In a row of parts (a link with room for a finger) the sentence is one of them.
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

/** What a caller gives as a text or as more than that: a text is unbroken, anything else is as it is. */
export function Words({ children }: { children: ReactNode }) {
  return typeof children === 'string' ? <NoWrap text={children} /> : children;
}
