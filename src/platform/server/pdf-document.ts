// What a PDF is made of, as plain data: features describe it, a process of its own draws it.
import type { ViewProps } from '@react-pdf/renderer';

/** How a part looks and where it stands: the renderer's own style, lengths in points (1/72 inch). A line height belongs to texts alone. */
export type PdfStyle = Exclude<Extract<ViewProps['style'], { flexDirection?: unknown }>, readonly unknown[]>;

/** Parts inside one another, laid out like CSS flex boxes. */
export type PdfBox = {
  readonly kind: 'box';
  readonly style?: PdfStyle;
  readonly children: readonly PdfNode[];
  /** Never cut in two by the end of a page. */
  readonly together?: boolean;
  /** Repeated at its place on every page on which its surrounding box goes on; named before what it goes with. */
  readonly repeated?: boolean;
};
/** Text; a line feed begins a new line. With `repeated` it stands on every page, and {{page}} and {{pages}} are numbers there. */
export type PdfText = { readonly kind: 'text'; readonly style?: PdfStyle; readonly text: string; readonly repeated?: boolean };
/** Lines and areas of a small drawing, in the coordinates of `viewBox`. */
export type PdfDrawing = {
  readonly kind: 'drawing';
  readonly style?: PdfStyle;
  readonly viewBox: string;
  readonly paths: readonly { readonly d: string; readonly fill?: string; readonly stroke?: string; readonly strokeWidth?: number }[];
};
export type PdfNode = PdfBox | PdfText | PdfDrawing;

/** One A4 document. The same document gives the same bytes. */
export type PdfDocument = {
  readonly title: string;
  readonly author: string;
  /** BCP 47, for readers that speak. */
  readonly language: string;
  /** What its properties say about when it was made. */
  readonly createdAt: Date;
  /** Style of the pages: margins and colour. */
  readonly style: PdfStyle;
  readonly children: readonly PdfNode[];
};
