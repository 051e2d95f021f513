// Somebody with a keyboard and no pointer: goes from stop to stop, sees at each where they are, and is caught nowhere.
import { expect, type Locator, type Page } from '@playwright/test';

const maxStops = 150;

/** In the page: what has the focus, how it is called, and whether one sees that it has it. A ring may stand around the element itself, its frame, or what it belongs to. */
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
/** In the page: whether the dialog on top, if there is one, has the focus. */
const isHeard = `(() => {
  const top = [...document.querySelectorAll('[role=dialog], [role=alertdialog]')].at(-1);
  return top === undefined || top.contains(document.activeElement) || top.parentElement === document.activeElement;
})()`;
type Stop = { readonly name: string; readonly isSeen: boolean; readonly isInside: boolean };

/** The keyboard of one page. */
export function keysOf(page: Page) {
  /** Who closes a dialog has seen the focus come back to it: for a moment after a dialog above it has gone, it is nowhere, and a key pressed then reaches nobody. */
  const press = async (key: string): Promise<void> => {
    if (key === 'Escape')
      await expect
        .poll(() => page.evaluate<boolean>(isHeard), { message: 'the dialog has the focus' })
        .toBe(true);
    await page.keyboard.press(key);
  };
  const has = async (target: Locator): Promise<boolean> =>
    (await target.and(page.locator(':focus')).count()) > 0;

  /** Goes with Tab (or Shift+Tab) until the target has the focus. Fails where a stop is not to be seen, or where the keyboard is caught. */
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
    /** Reaches the target and presses Enter, or the key given. */
    async use(target: Locator, key = 'Enter', way: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
      await reach(target, way);
      await press(key);
    },
    /** Reaches a field, empties it and writes. */
    async write(target: Locator, text: string): Promise<void> {
      await reach(target);
      await press('ControlOrMeta+A');
      await page.keyboard.type(text);
    },
    /** Goes with the arrow in an open menu to an entry, and takes it. */
    async choose(entry: Locator): Promise<void> {
      await entry.waitFor();
      for (let presses = 0; presses < 30 && !(await has(entry)); presses++) await press('ArrowDown');
      await expect.poll(() => has(entry)).toBe(true);
      await press('Enter');
    },
    /** What has the focus is in sight, or comes back there. */
    isInSight: async (): Promise<void> =>
      expect.poll(async () => (await page.evaluate<Stop>(here)).isInside).toBe(true),
    /** The focus is where it should have been handed to. */
    isAt: async (target: Locator): Promise<void> => expect.poll(() => has(target)).toBe(true),
  };
}
