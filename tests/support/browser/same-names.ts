// Controls that a screen reader announces alike although they do different things, such as the buttons
// *Verify domain* of two domains. It lists controls without what is around them, but announces named groups,
// tables and regions when it enters them: controls in different ones may have the same name.
import type { Page } from '@playwright/test';

const controls = new Set([
  'button',
  'link',
  'menuitem',
  'tab',
  'checkbox',
  'switch',
  'radio',
  'combobox',
  'textbox',
  'searchbox',
  'spinbutton',
]);
/** Chromium shows a date field as `Date` with three spin buttons and a button. */
const surroundings = new Set([
  'group',
  'radiogroup',
  'region',
  'table',
  'list',
  'form',
  'search',
  'navigation',
  'tabpanel',
  'toolbar',
  'dialog',
  'alertdialog',
  'menu',
  'listbox',
  'Date',
]);

type Node = {
  readonly nodeId: string;
  readonly parentId?: string;
  readonly ignored: boolean;
  readonly role?: { readonly value?: unknown };
  readonly name?: { readonly value?: unknown };
  readonly description?: { readonly value?: unknown };
  readonly properties?: readonly { readonly name: string; readonly value: { readonly value?: unknown } }[];
  readonly backendDOMNodeId?: number;
};

const textOf = (value: { readonly value?: unknown } | undefined): string =>
  typeof value?.value === 'string' ? value.value.replaceAll('\u200B', '').trim() : '';

/**
 * One line per name that several controls of the same description have; links to the same address count as
 * one.
 */
export async function sameNames(page: Page): Promise<readonly string[]> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  await session.detach();
  return alike(nodes);
}

function alike(nodes: readonly Node[]): readonly string[] {
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const around = (node: Node): string => {
    const names: string[] = [];
    for (let at = byId.get(node.parentId ?? ''); at; at = byId.get(at.parentId ?? ''))
      if (surroundings.has(textOf(at.role)) && textOf(at.name) !== '') names.push(textOf(at.name));
    return names.join(' in ');
  };
  const targets = new Map<string, Set<string>>();
  for (const node of nodes) {
    const role = textOf(node.role);
    if (node.ignored || !controls.has(role)) continue;
    const place = around(node);
    const described = textOf(node.description);
    const what = `${role} “${textOf(node.name)}”${described === '' ? '' : ` (${described})`}${place === '' ? '' : ` in ${place}`}`;
    const url = textOf(node.properties?.find(({ name }) => name === 'url')?.value);
    const known = targets.get(what) ?? new Set();
    targets.set(what, known.add(url || String(node.backendDOMNodeId)));
  }
  return [...targets].filter(([, all]) => all.size > 1).map(([what, all]) => `${all.size} times ${what}`);
}
