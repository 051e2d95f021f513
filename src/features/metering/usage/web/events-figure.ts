// The figure whose events are listed, stored in the address so that every drill-down is a link.
import { isId, type Id } from '#kernel/ids.ts';

/** Events of some subscriptions in [start, end), restricted to a group if one is given. */
export type EventsFigure = {
  readonly among: readonly Id<'sub'>[];
  readonly start: Date;
  readonly end: Date;
  readonly group?: EventsGroup;
};
/** `none`: events without a key, or without the property. */
export type EventsGroup =
  | { readonly by: 'key'; readonly apiKeyId: string; readonly label: string }
  | { readonly by: 'member'; readonly memberId: Id<'usr'>; readonly label: string }
  | { readonly by: 'property'; readonly property: string; readonly value: string; readonly label: string }
  | {
      readonly by: 'dimension';
      readonly dimension: string;
      readonly value: string;
      readonly label: string;
    };

const names = ['events-among', 'events-start', 'events-end', 'events-group'] as const;

/** Reads a figure from an address; undefined if the parameters are missing or invalid. */
export function readFigure(params: URLSearchParams): EventsFigure | undefined {
  const [among, start, end, group] = names.map((name) => params.get(name));
  const ids = (among ?? '').split(',').filter((each) => isId('sub', each));
  const [from, to] = [new Date(start ?? ''), new Date(end ?? '')];
  if (ids.length === 0 || Number.isNaN(from.getTime()) || Number.isNaN(to.getTime()) || from >= to)
    return undefined;
  const read = readGroup(group ?? null);
  return { among: ids, start: from, end: to, ...(read && { group: read }) };
}

/** The address parameters of a figure; all undefined if there is none. */
export function writeFigure(figure: EventsFigure | undefined): Readonly<Record<string, string | undefined>> {
  if (!figure) return Object.fromEntries(names.map((name) => [name, undefined]));
  const { among, start, end, group } = figure;
  return {
    'events-among': among.join(','),
    'events-start': start.toISOString(),
    'events-end': end.toISOString(),
    'events-group': group && JSON.stringify(partsOf(group)),
  };
}

const partsOf = (group: EventsGroup): string[] => {
  switch (group.by) {
    case 'key':
      return ['key', group.label, group.apiKeyId];
    case 'member':
      return ['member', group.label, group.memberId];
    case 'property':
      return ['property', group.label, group.property, group.value];
    case 'dimension':
      return ['dimension', group.label, group.dimension, group.value];
  }
};

function readGroup(text: string | null): EventsGroup | undefined {
  try {
    const parts: unknown = JSON.parse(text ?? 'null');
    if (!Array.isArray(parts) || !parts.every((part) => typeof part === 'string')) return undefined;
    const [by, label = '', first = '', second = ''] = parts;
    if (by === 'key') return { by, label, apiKeyId: first };
    if (by === 'member' && isId('usr', first)) return { by, label, memberId: first };
    if (by === 'dimension') return { by, label, dimension: first, value: second };
    return by === 'property' ? { by, label, property: first, value: second } : undefined;
  } catch {
    // Not one of our values, so it counts as missing.
    return undefined;
  }
}
