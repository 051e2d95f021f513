// The window that a long chart shows of its places: drawn with the pointer, moved with a slider, or chosen by keys.
import { useCallback, useEffect, useRef, useState } from 'react';
import * as z from 'zod/mini';
import type { Drawn } from './engine.ts';
import { nextWindow, windowWith, type Window } from './keyboard-window.ts';

/** With fewer places than this every bar is wide enough. */
const zoomFrom = 14;

const shape = z.object({
  dataZoom: z.tuple([z.object({ startValue: z.number(), endValue: z.number() })], z.unknown()),
});
const brushed = z.object({ areas: z.tuple([z.object({ coordRange: z.tuple([z.number(), z.number()]) })]) });

/** What of the places is shown; undefined while the chart cannot be zoomed. */
function windowOf(chart: Drawn): Window | undefined {
  const { data } = shape.safeParse(chart.getOption());
  return data && [data.dataZoom[0].startValue, data.dataZoom[0].endValue];
}

function showWindow(chart: Drawn, [startValue, endValue]: Window): void {
  chart.dispatchAction({ type: 'dataZoom', dataZoomIndex: 0, startValue, endValue });
}

/** Zooming for a chart, once it has been drawn with an option that asks for it. */
export function useZoom(chart: Drawn | undefined, places: readonly string[]) {
  const count = places.length;
  const [first, last] = [places[0], places.at(-1)];
  const isPossible = count >= zoomFrom;
  const [isZoomed, setZoomed] = useState(false);
  useEffect(() => {
    // One that is being taken away may still be told of other places.
    if (!chart || !isPossible || chart.isDisposed()) return;
    const place = chart.getDom();
    const comes = new AbortController();
    // Draws the whole chart once more, so it waits until a pointer comes that could draw a window. Before the chart hears of that itself.
    const draw = () => {
      comes.abort();
      chart.dispatchAction({
        type: 'takeGlobalCursor',
        key: 'brush',
        brushOption: { brushType: 'lineX', brushMode: 'single' },
      });
    };
    const onBrush = (event: unknown) => {
      const { data } = brushed.safeParse(event);
      if (!data) return;
      const [from, to] = data.areas[0].coordRange;
      chart.dispatchAction({ type: 'brush', areas: [] });
      showWindow(chart, [Math.max(from, 0), Math.min(to, count - 1)]);
    };
    const onZoom = () => {
      const [from = 0, to = count - 1] = windowOf(chart) ?? [];
      setZoomed(to - from < count - 1);
    };
    for (const kind of ['pointermove', 'pointerdown'])
      place.addEventListener(kind, draw, { capture: true, signal: comes.signal });
    chart.on('brushEnd', onBrush);
    chart.on('datazoom', onZoom);
    return () => {
      comes.abort();
      if (chart.isDisposed()) return;
      chart.off('brushEnd', onBrush);
      chart.off('datazoom', onZoom);
    };
  }, [chart, isPossible, count]);
  const whole = useRef<Drawn>(undefined);
  // Other places are another chart. One that has just been drawn for the first time shows all of them.
  useEffect(() => {
    if (chart && isPossible && whole.current === chart) showWindow(chart, [0, count - 1]);
    whole.current = chart;
  }, [chart, isPossible, count, first, last]);
  return {
    isPossible,
    isZoomed: isPossible && isZoomed,
    showAll: () => chart && showWindow(chart, [0, count - 1]),
    /** Moves the window so that a place is in it. */
    show: useCallback(
      (place: number) => {
        const shown = chart && windowOf(chart);
        if (chart && shown && (place < shown[0] || place > shown[1]))
          showWindow(chart, windowWith(place, shown));
      },
      [chart],
    ),
    /** Zooms by keys; says whether the key was one. */
    onKey: (key: string, active: number | undefined): boolean => {
      const shown = chart && isPossible ? windowOf(chart) : undefined;
      const next = shown && nextWindow(key, shown, active, count);
      if (chart && next) showWindow(chart, next);
      return next !== undefined;
    },
  };
}
