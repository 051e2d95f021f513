// The style of our documents: always light, in the colors of the console's light theme (ui.md, "Visual
// language").
import type { PdfBox, PdfNode, PdfStyle, PdfText } from './pdf-document.ts';

/** The colors of a tone: for text on white, and a soft tint as the background of badges. */
export type PdfTone = { readonly text: string; readonly soft: string };

export const colours = {
  text: '#16202E',
  quiet: '#4D5B6E',
  line: '#D5DCE5',
  sunken: '#F5F7FA',
  brand: '#1F4E8C',
  mark: '#0B6E7F',
} as const;
export const tones = {
  neutral: { text: '#465264', soft: '#E9EDF2' },
  info: { text: '#084C80', soft: '#E1F0FB' },
  success: { text: '#125A31', soft: '#E2F4E9' },
  warning: { text: '#6B4000', soft: '#FFF1D6' },
  error: { text: '#8C1D18', soft: '#FCE8E6' },
} as const satisfies Record<string, PdfTone>;

/** A vertical stack of parts. */
export const stack = (style: PdfStyle, ...children: readonly PdfNode[]): PdfBox => ({
  kind: 'box',
  style,
  children,
});
/** A horizontal row of parts. */
export const row = (style: PdfStyle, ...children: readonly PdfNode[]): PdfBox => ({
  kind: 'box',
  style: { flexDirection: 'row', ...style },
  children,
});
export const text = (words: string, style: PdfStyle = {}): PdfText => ({ kind: 'text', text: words, style });
/** A small label above or beside a figure. */
export const label = (words: string, style: PdfStyle = {}): PdfText =>
  text(words, { fontSize: 8, color: colours.quiet, ...style });
/** A status on a soft tint; as wide as its text, unless the surrounding box stretches it. */
export const badge = (words: string, tone: PdfTone): PdfBox =>
  stack(
    { backgroundColor: tone.soft, borderRadius: 3, paddingVertical: 2, paddingHorizontal: 7 },
    text(words, { fontSize: 9, fontWeight: 700, color: tone.text }),
  );

/** The console's logo: a cloud with tally marks. */
export const mark = (size: number): PdfNode => ({
  kind: 'drawing',
  style: { width: size, height: size },
  viewBox: [32, 32],
  paths: [
    {
      d: 'M7 0h18a7 7 0 0 1 7 7v18a7 7 0 0 1 -7 7h-18a7 7 0 0 1 -7 -7v-18a7 7 0 0 1 7 -7z',
      fill: colours.mark,
    },
    {
      d: 'M9.2 21.5a4.7 4.7 0 0 1-.5-9.37 7.6 7.6 0 0 1 14.3-1.2 5.3 5.3 0 0 1-.4 10.57',
      stroke: '#FFFFFF',
      strokeWidth: 2.2,
    },
    { d: 'M12.4 24.5v-5M16 24.5v-8.4M19.6 24.5v-6.4', stroke: '#9BE8F2', strokeWidth: 2.2 },
  ],
});
