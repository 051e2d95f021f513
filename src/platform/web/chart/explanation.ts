// The tooltip of the active bar, as an element: its style comes from the surrounding chart.

/** Builds a heading and lines of a name and a figure; undefined when there is nothing to show. */
export function explanationOf(
  head: string | undefined,
  lines: readonly (readonly [key: string, name: string, text: string])[],
): HTMLElement | undefined {
  if (lines.length === 0) return undefined;
  const table = element('div', 'explanation');
  table.append(element('b', '', head));
  for (const [, name, text] of lines) {
    const line = element('div', 'tabular');
    line.append(element('span', '', name), element('span', '', text));
    table.append(line);
  }
  return table;
}

function element(tag: 'b' | 'div' | 'span', className: string, text = ''): HTMLElement {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
}
