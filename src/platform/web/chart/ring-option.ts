// The ECharts option for shares of a whole.
import type { ChartOption } from './engine.ts';
import { baseOption, plain, type ChartLook } from './look.ts';
import type { Slice } from './circle-slices.ts';

export type RingInput = {
  /** Describes the ring as a whole. */
  readonly description: string;
  readonly parts: readonly (Slice & { readonly colour: string; readonly percent: string })[];
  readonly active: number | undefined;
  readonly middle: { readonly label: string; readonly text: string } | undefined;
  readonly look: ChartLook;
};

/** The ring's outer radius, as a share of half the plot's smaller side, and the inner one as a share of that. */
export const outerEdge = 0.9;
export const innerEdge = 58 / 90;

export function ringOption({ description, parts, active, middle, look }: RingInput): ChartOption {
  return {
    ...baseOption(look, description),
    series: [
      {
        type: 'pie',
        id: 'ring',
        silent: true,
        radius: ['58%', '90%'],
        label: { show: false },
        emphasis: { disabled: true },
        data: parts.map((part, index) => ({
          name: part.label,
          value: Math.max(part.value, 0),
          itemStyle: {
            color: part.colour,
            borderColor: look.edge,
            borderWidth: 1.5,
            opacity: active === undefined || active === index ? 1 : 0.35,
          },
        })),
      },
      {
        // Invisible; it only carries the text in the center.
        type: 'pie',
        id: 'middle',
        silent: true,
        radius: 0,
        data: middle
          ? [{ value: 1, name: middle.text, itemStyle: { color: 'transparent', ...plain(look) } }]
          : [],
        label: {
          position: 'center',
          formatter: `{label|${unstyled(middle?.label)}}\n{text|${unstyled(middle?.text)}}`,
          rich: {
            label: { color: look.quiet, fontSize: 12, lineHeight: 20 },
            text: {
              color: look.text,
              fontSize: (middle?.text.length ?? 0) > 10 ? 14 : 18,
              fontWeight: 700,
              lineHeight: 24,
            },
          },
        },
      },
    ],
  };
}

/** A picture has no list next to it: each slice shows its own figures. */
export function ringPicture({ parts, look }: Pick<RingInput, 'parts' | 'look'>): ChartOption {
  return {
    legend: { show: false },
    series: [
      {
        id: 'ring',
        type: 'pie',
        center: ['50%', '56%'],
        radius: ['40%', '62%'],
        label: {
          show: true,
          color: look.text,
          fontSize: 14,
          formatter: ({ dataIndex }) => {
            const part = parts[dataIndex];
            return part ? `${part.label}\n${part.text} · ${part.percent}` : '';
          },
        },
      },
      { id: 'middle', type: 'pie', center: ['50%', '56%'] },
    ],
  };
}

/** Braces and bars would be parsed as ECharts rich text. */
const unstyled = (text = ''): string => text.replaceAll(/[{}|]/g, ' ');
