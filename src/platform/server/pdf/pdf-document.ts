// What a PDF is made of, as plain data: features describe it, a process of its own draws it.

/** How a part looks and where it stands, in the words of CSS; lengths in points (1/72 inch), colours as #RRGGBB. */
export type PdfStyle = {
  /** Parts of a box stand below each other, unless they stand in a row. A row is never cut in two by the end of a page. */
  readonly flexDirection?: 'row';
  readonly justifyContent?: 'space-between' | 'flex-end';
  readonly alignItems?: 'flex-start' | 'center' | 'flex-end';
  readonly flex?: number;
  readonly gap?: number;
  readonly width?: number;
  readonly height?: number;
  readonly marginTop?: number;
  readonly marginBottom?: number;
  readonly marginLeft?: number;
  readonly padding?: number;
  readonly paddingTop?: number;
  readonly paddingBottom?: number;
  readonly paddingHorizontal?: number;
  readonly paddingVertical?: number;
  /** Out of the flow, at a place of the page. Only for what the page itself holds and repeats. */
  readonly position?: 'absolute';
  readonly left?: number;
  readonly right?: number;
  readonly bottom?: number;
  readonly backgroundColor?: string;
  readonly borderRadius?: number;
  readonly borderTopWidth?: number;
  readonly borderTopColor?: string;
  readonly borderBottomWidth?: number;
  readonly borderBottomColor?: string;
  /** Of a text, or of all texts of a page that have none of their own. */
  readonly color?: string;
  readonly fontSize?: number;
  readonly fontWeight?: 400 | 700;
  /** From line to line, in sizes of the text. */
  readonly lineHeight?: number;
  readonly textAlign?: 'right';
};

/** Parts inside one another, laid out like CSS flex boxes. */
export type PdfBox = {
  readonly kind: 'box';
  readonly style?: PdfStyle;
  readonly children: readonly PdfNode[];
  /** Not cut in two by the end of a page, unless it is longer than one. */
  readonly keepTogether?: boolean;
  /** Once more at the top of every page on which its surrounding box goes on, or at its place on every page; named before what it goes with. */
  readonly repeated?: boolean;
};
/** Text; a line feed begins a new line. Where it is repeated with a page, {{page}} and {{pages}} are numbers. */
export type PdfText = { readonly kind: 'text'; readonly style?: PdfStyle; readonly text: string };
/** Lines and areas of a small drawing, in the coordinates of `viewBox`: its width and height. */
export type PdfDrawing = {
  readonly kind: 'drawing';
  readonly style: PdfStyle & { readonly width: number; readonly height: number };
  readonly viewBox: readonly [width: number, height: number];
  readonly paths: readonly {
    readonly d: string;
    readonly fill?: string;
    readonly stroke?: string;
    readonly strokeWidth?: number;
  }[];
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
