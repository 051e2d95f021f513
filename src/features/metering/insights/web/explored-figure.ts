// The link from a figure of the explorer to its events.
import { isId } from '#kernel/ids.ts';
import type { ExploredSeries } from '../contract.ts';
import type { EventsFigure, EventsGroup } from '#features/metering/usage/web/parts.ts';

/** The filter for a group's events; undefined if the group's services already identify them. */
export function eventsGroup(
  groupBy: string,
  { key, special }: Pick<ExploredSeries, 'key' | 'special'>,
  label: string,
): EventsGroup | undefined {
  if (special === 'unshared') return undefined;
  if (groupBy.startsWith('dimension:'))
    return special === null
      ? {
          by: 'dimension',
          dimension: groupBy.slice('dimension:'.length),
          value: key.slice('value:'.length),
          label,
        }
      : undefined;
  if (groupBy.startsWith('property:'))
    return {
      by: 'property',
      property: groupBy.slice('property:'.length),
      value: special ?? key.slice('value:'.length),
      label,
    };
  if (groupBy !== 'apiKey' && groupBy !== 'member') return undefined;
  if (special === 'import' || special === 'platform')
    return { by: 'key', apiKeyId: special === 'import' ? 'none' : special, label };
  if (groupBy === 'apiKey') return { by: 'key', apiKeyId: key, label };
  return isId('usr', key) ? { by: 'member', memberId: key, label } : undefined;
}

/**
 * The groups with usage at a place of the chart, followed by those without figures, which may have some. All
 * groups if none is known to have usage there.
 */
export function groupsAt(series: readonly ExploredSeries[], place: number): readonly ExploredSeries[] {
  const used = series.filter(({ costs, quantities }) =>
    [costs, quantities].some((values) => (values?.[place] ?? '0') !== '0'),
  );
  const unknown = series.filter(({ costs, quantities }) => costs === null && quantities === null);
  return used.length === 0 ? series : [...used, ...unknown];
}

/**
 * The events of some groups between two times; undefined if there are none to show. A single group becomes a
 * filter, several do not.
 */
export function figureOf(
  series: readonly ExploredSeries[],
  groupBy: string,
  start: Date,
  end: Date,
  nameOf: (series: ExploredSeries) => string,
): EventsFigure | undefined {
  const among = [...new Set(series.flatMap((each) => each.subscriptionIds))];
  if (among.length === 0) return undefined;
  const [only] = series;
  const group = only && series.length === 1 ? eventsGroup(groupBy, only, nameOf(only)) : undefined;
  return { among, start, end, ...(group && { group }) };
}
