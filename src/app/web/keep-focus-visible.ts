// Keeps the focused element visible when content above it loads late and pushes it out of the viewport.

const placeOf = (target: Element): number => target.getBoundingClientRect().top + scrollY;

/**
 * Scrolls the focused element back into view when it was pushed out of the viewport, but not when the user
 * scrolled. Call once.
 */
export function keepFocusVisible(): void {
  /** The element's position in the page when it was last visible. */
  let seenAt: number | undefined;
  const watch = new IntersectionObserver((entries) => {
    const last = entries.at(-1);
    if (!last) return;
    if (last.isIntersecting) {
      seenAt = placeOf(last.target);
      return;
    }
    if (seenAt === undefined || last.target !== document.activeElement) return;
    // Dragging a scroll bar fires no event of its own. If the element would still be visible at its old
    // position, it was pushed; otherwise the user has scrolled.
    const inWindow = seenAt - scrollY;
    if (inWindow >= 0 && inWindow < innerHeight)
      last.target.scrollIntoView({ block: 'nearest', behavior: 'instant' });
  });
  const forget = (): void => {
    watch.disconnect();
    seenAt = undefined;
  };
  addEventListener('focusin', ({ target }) => {
    forget();
    if (target instanceof HTMLElement && target.matches(':focus-visible')) watch.observe(target);
  });
  addEventListener('focusout', forget);
  // From the first of these events on, the user is scrolling the page.
  for (const own of ['wheel', 'touchmove', 'pointerdown', 'keydown', 'popstate'])
    addEventListener(own, forget, { capture: true, passive: true });
}
