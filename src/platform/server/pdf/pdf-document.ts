// The content of a PDF as plain data: features describe it, a separate process draws it.

/** Style and position of a part, in CSS properties; lengths in points (1/72 inch), colors as #RRGGBB. */
export type PdfStyle = {
  /** Parts of a box are stacked vertically unless this is set. A row is never split across pages. */
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
  /** Taken out of the flow and placed at a fixed position on the page. Only for repeated children of the page. */
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
  /** The color of a text, or of all texts of a page without their own color. */
  readonly color?: string;
  readonly fontSize?: number;
  readonly fontWeight?: 400 | 700;
  /** As a multiple of the font size. */
  readonly lineHeight?: number;
  readonly textAlign?: 'right';
};

/** Nested parts, laid out like CSS flex boxes. */
export type PdfBox = {
  readonly kind: 'box';
  readonly style?: PdfStyle;
  readonly children: readonly PdfNode[];
  /** Not split across pages, unless it is longer than a page. */
  readonly avoidsPageBreak?: boolean;
  /**
   * Repeated at the top of every page on which the surrounding box continues, or at its fixed position on
   * every page; must precede the content that it is repeated for.
   */
  readonly repeated?: boolean;
};
/** Text; a line feed starts a new line. In repeated texts, {{page}} and {{pages}} become numbers. */
export type PdfText = { readonly kind: 'text'; readonly style?: PdfStyle; readonly text: string };
/** Lines and areas of a small drawing, in the coordinates of `viewBox` (width and height). */
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
/** A picture scaled to fit the given height and width, keeping its proportions. */
export type PdfPicture = {
  readonly kind: 'picture';
  readonly style: PdfStyle & { readonly height: number };
  /** A PNG, in base64. */
  readonly png: string;
};
export type PdfNode = PdfBox | PdfText | PdfDrawing | PdfPicture;

/** One document. Equal documents give equal bytes. */
export type PdfDocument = {
  readonly title: string;
  readonly author: string;
  /** BCP 47, for screen readers. */
  readonly language: string;
  /** The creation date in the document's properties. */
  readonly createdAt: Date;
  /** The page size in points; A4 by default. */
  readonly size?: readonly [width: number, height: number];
  /** The style of the pages: margins and background color. */
  readonly style: PdfStyle;
  readonly children: readonly PdfNode[];
};
