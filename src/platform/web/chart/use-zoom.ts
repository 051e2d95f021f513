// The zoom window of a long chart: drawn with the pointer, moved with a slider, or set with keys.
import { useCallback, useEffect, useRef, useState } from 'react';
import * as z from 'zod/mini';
import type { Drawn } from './engine.ts';
import { nextWindow, windowWith, type Window } from './keyboard-window.ts';

/** With fewer places, every bar is wide enough. */
const zoomFrom = 14;

const shape = z.object({
  dataZoom: z.tuple([z.object({ startValue: z.number(), endValue: z.number() })], z.unknown()),
});
const brushed = z.object({ areas: z.tuple([z.object({ coordRange: z.tuple([z.number(), z.number()]) })]) });

/** The visible range of places; undefined while the chart cannot be zoomed. */
function windowOf(chart: Drawn): Window | undefined {
  const { data } = shape.safeParse(chart.getOption());
  return data && [data.dataZoom[0].startValue, data.dataZoom[0].endValue];
}

function showWindow(chart: Drawn, [startValue, endValue]: Window): void {
  chart.dispatchAction({ type: 'dataZoom', dataZoomIndex: 0, startValue, endValue });
}

/** Zooming for a chart, once it has been drawn with an option that supports it. */
export function useZoom(chart: Drawn | undefined, places: readonly string[]) {
  const count = places.length;
  const [first, last] = [places[0], places.at(-1)];
  const isPossible = count >= zoomFrom;
  const [isZoomed, setZoomed] = useState(false);
  useEffect(() => {
    // A chart that is being disposed may still receive new places.
    if (!chart || !isPossible || chart.isDisposed()) return;
    const place = chart.getDom();
    const comes = new AbortController();
    // Redraws the whole chart, so it waits for a pointer that could draw a range; captured before the chart
    // handles the event.
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
  // New places mean a new chart. One that was just drawn for the first time shows all of them.
  useEffect(() => {
    if (chart && isPossible && whole.current === chart) showWindow(chart, [0, count - 1]);
    whole.current = chart;
  }, [chart, isPossible, count, first, last]);
  return {
    isPossible,
    isZoomed: isPossible && isZoomed,
    showAll: () => chart && showWindow(chart, [0, count - 1]),
    /** Moves the window so that it contains a place. */
    show: useCallback(
      (place: number) => {
        const shown = chart && windowOf(chart);
        if (chart && shown && (place < shown[0] || place > shown[1]))
          showWindow(chart, windowWith(place, shown));
      },
      [chart],
    ),
    /** Zooms by keys; returns whether it handled the key. */
    onKey: (key: string, active: number | undefined): boolean => {
      const shown = chart && isPossible ? windowOf(chart) : undefined;
      const next = shown && nextWindow(key, shown, active, count);
      if (chart && next) showWindow(chart, next);
      return next !== undefined;
    },
  };
}
