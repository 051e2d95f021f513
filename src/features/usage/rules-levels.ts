// Levels' decisions: in which stretches of time a reported level counts.

type Served = { readonly startedAt: Date; readonly endsAt: Date | null; readonly pauses: readonly { readonly from: Date; readonly until: Date | null }[] };
export type ServedSpan = { readonly from: Date; readonly to: Date };

/** What of [from, to) a subscription was served: from its start to its end without its pauses, the earliest first. */
export function servedSpans({ startedAt, endsAt, pauses }: Served, from: Date, to: Date): ServedSpan[] {
  const first = startedAt > from ? startedAt : from;
  const last = endsAt !== null && endsAt < to ? endsAt : to;
  let spans: ServedSpan[] = first < last ? [{ from: first, to: last }] : [];
  for (const { from: begin, until } of pauses) {
    const end = until ?? last;
    if (begin >= end) continue;
    spans = spans.flatMap((span) => (end <= span.from || begin >= span.to ? [span] : [...(span.from < begin ? [{ from: span.from, to: begin }] : []), ...(end < span.to ? [{ from: end, to: span.to }] : [])]));
  }
  return spans;
}
