// Where each part of a document stands, as if its page had no end.
import Yoga, {
  Align,
  Edge,
  FlexDirection,
  Gutter,
  Justify,
  MeasureMode,
  PositionType,
  type Config,
  type Node,
} from 'yoga-layout';
import type { PdfBox, PdfDrawing, PdfNode, PdfStyle, PdfText } from './pdf-document.ts';
import { drawable, faces, type Face } from './pdf-fonts.ts';
import { textLines } from './pdf-lines.ts';

/** A text in its lines. `step` is the way from line to line, in points. */
export type SetText = {
  readonly lines: readonly string[];
  readonly face: Face;
  readonly size: number;
  readonly step: number;
};
type Place<Part> = {
  readonly node: Part;
  /** From the part around it, in points. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
};
/** How far what is inside stands from the part's own edges. */
type Inset = { readonly top: number; readonly bottom: number; readonly left: number; readonly right: number };
export type LaidBox = Place<PdfBox> & {
  readonly kind: 'box';
  readonly inset: Inset;
  readonly children: readonly Laid[];
};
export type LaidText = Place<PdfText> & {
  readonly kind: 'text';
  readonly inset: Inset;
  readonly set: SetText;
};
export type LaidDrawing = Place<PdfDrawing> & { readonly kind: 'drawing' };
export type Laid = LaidBox | LaidText | LaidDrawing;

const usualSize = 9.5;
const usualLineHeight = 1.45;
const justify = { 'space-between': Justify.SpaceBetween, 'flex-end': Justify.FlexEnd } as const;
const align = { 'flex-start': Align.FlexStart, center: Align.Center, 'flex-end': Align.FlexEnd } as const;

function nodeFor(style: PdfStyle, config: Config): Node {
  const flex = Yoga.Node.create(config);
  // Long texts of a row make room for each other.
  flex.setFlexShrink(1);
  if (style.flex !== undefined) flex.setFlex(style.flex);
  if (style.flexDirection !== undefined) flex.setFlexDirection(FlexDirection.Row);
  if (style.justifyContent !== undefined) flex.setJustifyContent(justify[style.justifyContent]);
  if (style.alignItems !== undefined) flex.setAlignItems(align[style.alignItems]);
  if (style.gap !== undefined) flex.setGap(Gutter.All, style.gap);
  if (style.width !== undefined) flex.setWidth(style.width);
  if (style.height !== undefined) flex.setHeight(style.height);
  if (style.position !== undefined) flex.setPositionType(PositionType.Absolute);
  const edges: readonly (readonly [(edge: Edge, length: number) => void, Edge, number | undefined])[] = [
    [flex.setMargin, Edge.Top, style.marginTop],
    [flex.setMargin, Edge.Bottom, style.marginBottom],
    [flex.setMargin, Edge.Left, style.marginLeft],
    [flex.setPadding, Edge.All, style.padding],
    [flex.setPadding, Edge.Horizontal, style.paddingHorizontal],
    [flex.setPadding, Edge.Vertical, style.paddingVertical],
    [flex.setPadding, Edge.Top, style.paddingTop],
    [flex.setPadding, Edge.Bottom, style.paddingBottom],
    [flex.setBorder, Edge.Top, style.borderTopWidth],
    [flex.setBorder, Edge.Bottom, style.borderBottomWidth],
    [flex.setPosition, Edge.Left, style.left],
    [flex.setPosition, Edge.Right, style.right],
    [flex.setPosition, Edge.Bottom, style.bottom],
  ];
  for (const [put, edge, length] of edges) if (length !== undefined) put.call(flex, edge, length);
  return flex;
}

/** What says where a part stands once its document has been measured. */
type Reading = { readonly flex: Node; readonly read: () => Laid };

const placeOf = (flex: Node) => ({
  x: flex.getComputedLeft(),
  y: flex.getComputedTop(),
  width: flex.getComputedWidth(),
  height: flex.getComputedHeight(),
});
function insetOf(flex: Node): Inset {
  const at = (edge: Edge): number => flex.getComputedPadding(edge) + flex.getComputedBorder(edge);
  return { top: at(Edge.Top), bottom: at(Edge.Bottom), left: at(Edge.Left), right: at(Edge.Right) };
}

function readingOf(node: PdfNode, config: Config): Reading {
  const flex = nodeFor(node.style ?? {}, config);
  switch (node.kind) {
    case 'drawing':
      return { flex, read: () => ({ kind: 'drawing', node, ...placeOf(flex) }) };
    case 'box': {
      const parts = node.children.map((child) => readingOf(child, config));
      parts.forEach((part, index) => flex.insertChild(part.flex, index));
      return {
        flex,
        read: () => ({
          kind: 'box',
          node,
          ...placeOf(flex),
          inset: insetOf(flex),
          children: parts.map((part) => part.read()),
        }),
      };
    }
    case 'text': {
      const { fontSize: size = usualSize, fontWeight, lineHeight = usualLineHeight } = node.style ?? {};
      const words = drawable(node.text);
      const face = faces[fontWeight === 700 ? 'bold' : 'regular'];
      const step = size * lineHeight;
      flex.setMeasureFunc((width, mode) => {
        const lines = textLines(words, face, size, mode === MeasureMode.Undefined ? Infinity : width);
        const needed = size * Math.max(...lines.map(face.widthOf));
        return { width: mode === MeasureMode.Exactly ? width : needed, height: lines.length * step };
      });
      return {
        flex,
        read: () => {
          const [place, inset] = [placeOf(flex), insetOf(flex)];
          return {
            kind: 'text',
            node,
            ...place,
            inset,
            set: {
              lines: textLines(words, face, size, place.width - inset.left - inset.right),
              face,
              size,
              step,
            },
          };
        },
      };
    }
  }
}

/** Lays a box and all it holds out in a width, and in a height unless it may be as high as it needs; lengths in points. */
export function layOut(box: PdfBox, width: number, height?: number): LaidBox {
  const config = Yoga.Config.create();
  // Lengths stay as they are: paper has no grid of pixels.
  config.setPointScaleFactor(0);
  const root = readingOf(box, config);
  try {
    root.flex.setWidth(width);
    if (height !== undefined) root.flex.setHeight(height);
    root.flex.calculateLayout(width, height);
    const laid = root.read();
    if (laid.kind !== 'box') throw new Error('a page is a box');
    return laid;
  } finally {
    root.flex.freeRecursive();
    config.free();
  }
}
