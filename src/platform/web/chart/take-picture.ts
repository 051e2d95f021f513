// A chart as a PNG: redrawn with its title and legend, in one size whatever the window's size.
import { loadEngine, type ChartOption } from './engine.ts';

const width = 1200;
const height = 640;
/** Pixels of the picture per unit of the drawing. */
const density = 2;

/**
 * Takes a picture of a chart in the colors of the page; `extra` is merged over its option. Rejects when the
 * browser cannot draw it.
 */
export async function takePicture(title: string, option: ChartOption, extra: ChartOption): Promise<Blob> {
  const engine = await loadEngine('picture');
  const chart = engine.init(null, undefined, { renderer: 'svg', ssr: true, width, height });
  const style = getComputedStyle(document.documentElement);
  const { color } = getComputedStyle(document.body);
  chart.setOption({ ...option, backgroundColor: 'var(--mui-palette-background-paper)' });
  chart.setOption({
    title: { text: title, left: 24, top: 20, textStyle: { color, fontSize: 20 } },
    legend: { left: 20, right: 24, top: 56, textStyle: { color, fontSize: 13 }, itemGap: 16 },
    grid: { left: 24, right: 32, top: 130, bottom: 24 },
  });
  chart.setOption(extra);
  const svg = chart.renderToSVGString();
  chart.dispose();
  return pngOf(
    svg.replaceAll(/var\((--[\w-]+)(?:,(?:[^()]|\([^()]*\))*)?\)/g, (_, name: string) =>
      style.getPropertyValue(name),
    ),
  );
}

async function pngOf(svg: string): Promise<Blob> {
  const address = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  try {
    const image = new Image(width * density, height * density);
    image.src = address;
    await image.decode();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [width * density, height * density];
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => {
      canvas.toBlob(
        (blob) => (blob ? resolve(blob) : reject(new Error('The browser made no PNG.'))),
        'image/png',
      );
    });
  } finally {
    URL.revokeObjectURL(address);
  }
}
