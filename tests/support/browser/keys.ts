// A keyboard user without a pointer: moves from stop to stop, sees the focus at each, and is never trapped.
import { expect, type Locator, type Page } from '@playwright/test';

const maxStops = 150;

/**
 * In the page: which element has the focus, its accessible name, and whether the focus is visible. The ring
 * may be around the element itself, its frame, or a parent.
 */
const here = `(() => {
  const one = document.activeElement;
  if (!one || one === document.body) return { name: 'the page itself', isSeen: true, isInside: true };
  const rings = (element) => {
    const style = getComputedStyle(element);
    return (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2) || style.boxShadow.includes('0px 0px 0px') || element.matches('.Mui-focusVisible, .Mui-focused') || [...element.querySelectorAll(':scope > fieldset')].some((frame) => parseFloat(getComputedStyle(frame).borderTopWidth) >= 2);
  };
  const around = [one, one.parentElement, one.parentElement?.parentElement].filter((element) => element !== null && element !== undefined);
  const box = one.getBoundingClientRect();
  return {
    name: one.tagName.toLowerCase() + ' ' + (one.getAttribute('aria-label') ?? one.labels?.[0]?.innerText ?? one.innerText ?? '').trim().slice(0, 40),
    isSeen: around.some(rings),
    isInside: one.tagName === 'IFRAME' || (box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth),
  };
})()`;
/** In the page: whether the topmost dialog, if there is one, contains the focus. */
const isHeard = `(() => {
  const top = [...document.querySelectorAll('[role=dialog], [role=alertdialog]')].at(-1);
  return top === undefined || top.contains(document.activeElement) || top.parentElement === document.activeElement;
})()`;
type Stop = { readonly name: string; readonly isSeen: boolean; readonly isInside: boolean };

/** The keyboard of one page. */
export function keysOf(page: Page) {
  /**
   * Waits for the dialog to have the focus before Escape: just after a dialog above it has closed, nothing is
   * focused, and the key would be lost.
   */
  const press = async (key: string): Promise<void> => {
    if (key === 'Escape')
      await expect
        .poll(() => page.evaluate<boolean>(isHeard), { message: 'the dialog has the focus' })
        .toBe(true);
    await page.keyboard.press(key);
  };
  const has = async (target: Locator): Promise<boolean> =>
    (await target.and(page.locator(':focus')).count()) > 0;

  /**
   * Presses Tab (or Shift+Tab) until the target has the focus. Fails where the focus is not visible or the
   * keyboard is trapped.
   */
  async function reach(target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
    await target.first().waitFor({ state: 'attached' });
    const stops: string[] = [];
    for (let presses = 0; presses < maxStops; presses++) {
      if (await has(target)) return;
      await press(key);
      let stop: Stop = { name: '', isSeen: false, isInside: false };
      await expect
        .poll(async () => (stop = await page.evaluate<Stop>(here)), {
          message: `stop ${presses + 1} on the way`,
        })
        .toMatchObject({ isSeen: true, isInside: true });
      expect(
        stops.slice(-2).every((name) => name === stop.name) &&
          stops.length > 1 &&
          stop.name !== 'the page itself' &&
          stop.name.length > 8,
        `caught at ${stop.name}`,
      ).toBe(false);
      stops.push(stop.name);
    }
    throw new Error(`the keyboard does not get there: ${stops.join(', ')}`);
  }

  return {
    press,
    reach,
    /** Moves to the target and presses Enter, or the given key. */
    async use(target: Locator, key = 'Enter', way: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
      await reach(target, way);
      await press(key);
    },
    /** Moves to a field, clears it and types. */
    async write(target: Locator, text: string): Promise<void> {
      await reach(target);
      await press('ControlOrMeta+A');
      await page.keyboard.type(text);
    },
    /** Moves to an entry of an open menu with the arrow keys, and selects it. */
    async choose(entry: Locator): Promise<void> {
      await entry.waitFor();
      for (let presses = 0; presses < 30 && !(await has(entry)); presses++) await press('ArrowDown');
      await expect.poll(() => has(entry)).toBe(true);
      await press('Enter');
    },
    /** Waits until the focused element is in view. */
    isInSight: async (): Promise<void> =>
      expect.poll(async () => (await page.evaluate<Stop>(here)).isInside).toBe(true),
    /** Waits until the target has the focus. */
    isAt: async (target: Locator): Promise<void> => expect.poll(() => has(target)).toBe(true),
  };
}
