// A sentence whose amounts, days and numbers of bills stay on one line: a browser may break a line behind every hyphen (-NT$21, 2026-11-23).
import { Fragment } from 'react';
import { wholePieces } from '../whole-pieces.ts';

export function Unbroken({ text }: { text: string }) {
  return wholePieces(text).map(({ piece, isWhole }, index) => (isWhole ? <span key={index} data-whole="" style={{ whiteSpace: 'nowrap' }}>{piece}</span> : <Fragment key={index}>{piece}</Fragment>));
}
