// Puts on paper what has been laid out: frames, texts, drawings.
import type { PdfStyle } from './pdf-document.ts';
import type { Laid, LaidDrawing, LaidText } from './pdf-layout.ts';

declare global {
  namespace PDFKit.Mixins {
    // The library takes a font that is open already; its types do not say so.
    interface PDFFont {
      registerFont(name: string, font: import('fontkit').Font): this;
    }
  }
}

/** What is written on; `colour` is that of texts that have none of their own. */
export type Paper = { readonly pdf: PDFKit.PDFDocument; readonly colour: string };
/** A part of a page, put there when all pages are known. */
export type Mark = (paper: Paper) => void;
/** A place on a page, from its left and upper edge, in points. */
export type Area = {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
};

/** The ground and the edges of a part; a part that goes on on another page has no edge there. */
export function drawFrame(
  { pdf }: Paper,
  style: PdfStyle,
  area: Area,
  has: { readonly top: boolean; readonly bottom: boolean },
): void {
  if (style.backgroundColor !== undefined)
    pdf
      .roundedRect(area.x, area.y, area.width, area.height, style.borderRadius ?? 0)
      .fill(style.backgroundColor);
  const edge = (y: number, width: number, colour: string): unknown =>
    pdf.rect(area.x, y, area.width, width).fill(colour);
  const { borderTopWidth: top, borderTopColor, borderBottomWidth: bottom, borderBottomColor } = style;
  if (has.top && top !== undefined && borderTopColor !== undefined) edge(area.y, top, borderTopColor);
  if (has.bottom && bottom !== undefined && borderBottomColor !== undefined)
    edge(area.y + area.height - bottom, bottom, borderBottomColor);
}

/** Lines of a text, the first one's upper edge at `y`. */
export function drawLines(
  { pdf, colour }: Paper,
  text: LaidText,
  lines: readonly string[],
  x: number,
  y: number,
): void {
  const { face, size, step } = text.set;
  const { color = colour, textAlign } = text.node.style ?? {};
  pdf.font(face.name, size).fillColor(color);
  // Signs stand in the middle of a line that is higher than they are; in a lower one they begin at its upper edge.
  const base = y + Math.max(0, step - size * (face.ascent + face.descent)) / 2 + size * face.ascent;
  const left = x + text.inset.left;
  const right = x + text.width - text.inset.right;
  lines.forEach((line, index) => {
    const at = textAlign === 'right' ? right - size * face.widthOf(line) : left;
    pdf.text(line, at, base + index * step, { lineBreak: false, baseline: 'alphabetic' });
  });
}

function drawDrawing({ pdf }: Paper, { node, width, height }: LaidDrawing, x: number, y: number): void {
  pdf
    .save()
    .translate(x, y)
    .scale(width / node.viewBox[0], height / node.viewBox[1])
    .lineCap('round');
  for (const path of node.paths) {
    if (path.fill !== undefined) pdf.path(path.d).fill(path.fill);
    if (path.stroke !== undefined)
      pdf
        .path(path.d)
        .lineWidth(path.strokeWidth ?? 1)
        .stroke(path.stroke);
  }
  pdf.restore();
}

/** A part and all it holds, its upper left corner at a place of the page. */
export function drawWhole(paper: Paper, laid: Laid, x: number, y: number): void {
  if (laid.kind === 'drawing') {
    drawDrawing(paper, laid, x, y);
    return;
  }
  drawFrame(
    paper,
    laid.node.style ?? {},
    { x, y, width: laid.width, height: laid.height },
    { top: true, bottom: true },
  );
  if (laid.kind === 'text') drawLines(paper, laid, laid.set.lines, x, y + laid.inset.top);
  else for (const child of laid.children) drawWhole(paper, child, x + child.x, y + child.y);
}
