// Whoever goes by keyboard sees where they are, also when something above them arrives late and grows.

const placeOf = (target: Element): number => target.getBoundingClientRect().top + scrollY;

/** Brings what the keyboard is at back into sight when its place in the page has moved out of it; not when somebody scrolls away. Once. */
export function keepFocusInSight(): void {
  /** Where in the page it was when it was last seen. */
  let seenAt: number | undefined;
  const watch = new IntersectionObserver((entries) => {
    const last = entries.at(-1);
    if (!last) return;
    if (last.isIntersecting) {
      seenAt = placeOf(last.target);
      return;
    }
    if (seenAt === undefined || last.target !== document.activeElement) return;
    // A scroll bar tells nobody that it is drawn: what would stand in sight at its old place was pushed, anything else was scrolled.
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
  // From here on what moves the page is what they ask for: with the wheel, a finger, a key, or the way back.
  for (const own of ['wheel', 'touchmove', 'pointerdown', 'keydown', 'popstate'])
    addEventListener(own, forget, { capture: true, passive: true });
}
