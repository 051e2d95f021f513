// Cuts what has been laid out into pages.
import type { Laid, LaidBox, LaidText } from './pdf-layout.ts';
import { drawFrame, drawLines, drawWhole, type Mark } from './pdf-marks.ts';

/** The part of each page that is written on: from its upper edge, in points. */
export type Bounds = { readonly top: number; readonly bottom: number };

/** A box that is being cut: where it stands on this page, the place kept for its frame, and what is repeated where it goes on. */
type Cut = {
  readonly laid: LaidBox;
  readonly x: number;
  top: number;
  slot: number;
  isContinued: boolean;
  readonly heads: Laid[];
};
/** What is written so far. The last page is the one that is written on, from `y` on; what it holds of its own begins at `begin`. */
type Book = Bounds & { readonly pages: Mark[][]; readonly cuts: Cut[]; y: number; begin: number };

const isRepeated = (laid: Laid): boolean => laid.kind === 'box' && laid.node.repeated === true;
const isStack = (laid: Laid): laid is LaidBox =>
  laid.kind === 'box' && laid.node.style?.flexDirection === undefined;
const staysTogether = (laid: Laid): boolean => !isStack(laid) || laid.node.together === true;
const fits = (book: Book, laid: Laid): boolean => laid.height <= book.bottom - book.y;

const pageOf = (book: Book): Mark[] => book.pages.at(-1) ?? [];
const put = (book: Book, mark: Mark): number => pageOf(book).push(mark) - 1;

function draw(book: Book, laid: Laid, x: number): void {
  const { y } = book;
  put(book, (paper) => drawWhole(paper, laid, x, y));
  book.y += laid.height;
}

/** A cut box's frame lies under what it holds, but ends where that ends: its place is kept free. */
function openCut(book: Book, cut: Cut): void {
  cut.top = book.y;
  cut.slot = put(book, () => undefined);
}

function closeCut(book: Book, cut: Cut, end: number, isEnded: boolean): void {
  const { laid, x, isContinued, top } = cut;
  pageOf(book)[cut.slot] = (paper) =>
    drawFrame(
      paper,
      laid.node.style ?? {},
      { x, y: top, width: laid.width, height: end - top },
      { top: !isContinued, bottom: isEnded },
    );
  cut.isContinued = true;
}

function nextPage(book: Book): void {
  for (const cut of book.cuts) closeCut(book, cut, book.bottom, false);
  book.pages.push([]);
  book.y = book.top;
  for (const cut of book.cuts) {
    openCut(book, cut);
    for (const head of cut.heads) draw(book, head, cut.x + head.x);
  }
  book.begin = book.y;
}

function cutText(book: Book, text: LaidText, x: number): void {
  const { lines, step } = text.set;
  book.y += text.inset.top;
  for (let from = 0; from < lines.length;) {
    const room = Math.floor((book.bottom - book.y) / step);
    const [some, { y }] = [lines.slice(from, from + Math.max(room, 1)), book];
    put(book, (paper) => drawLines(paper, text, some, x, y));
    book.y += some.length * step;
    from += some.length;
    if (from < lines.length) nextPage(book);
  }
  book.y += text.inset.bottom;
}

/** What cannot be cut and is higher than a page is drawn smaller, so that nothing of it is lost. */
function shrink(book: Book, laid: Laid, x: number): void {
  const [y, scale] = [book.y, (book.bottom - book.y) / laid.height];
  put(book, (paper) => {
    paper.pdf.save().translate(x, y).scale(scale);
    drawWhole(paper, laid, 0, 0);
    paper.pdf.restore();
  });
  book.y = book.bottom;
}

/** A head stands with what it is the head of, where a page can hold both. */
function drawHead(book: Book, cut: Cut, head: Laid, next: Laid | undefined): void {
  const needed = next ? next.y + next.height - head.y : 0;
  if (book.y > book.begin && book.y + needed > book.bottom && needed < book.bottom - book.top) nextPage(book);
  draw(book, head, cut.x + head.x);
  cut.heads.push(head);
}

function cutBox(book: Book, box: LaidBox, x: number): void {
  const cut: Cut = { laid: box, x, top: book.y, slot: 0, isContinued: false, heads: [] };
  book.cuts.push(cut);
  openCut(book, cut);
  let before = 0;
  box.children.forEach((child, index) => {
    book.y += child.y - before;
    before = child.y + child.height;
    if (isRepeated(child)) drawHead(book, cut, child, box.children[index + 1]);
    else place(book, child, x + child.x);
  });
  book.y += box.height - before;
  book.cuts.pop();
  closeCut(book, cut, book.y, true);
}

function place(book: Book, laid: Laid, x: number): void {
  if (!fits(book, laid) && book.y > book.begin && staysTogether(laid)) nextPage(book);
  if (fits(book, laid)) draw(book, laid, x);
  else if (laid.kind === 'text') cutText(book, laid, x);
  else if (isStack(laid)) cutBox(book, laid, x);
  else shrink(book, laid, x);
}

/** The marks of each page, in the order in which they are put there. What is too high for what is left of a page goes on on the next. */
export function pagesOf(root: LaidBox, bounds: Bounds): readonly (readonly Mark[])[] {
  const book: Book = { ...bounds, pages: [[]], cuts: [], y: 0, begin: 0 };
  cutBox(book, root, 0);
  return book.pages;
}
