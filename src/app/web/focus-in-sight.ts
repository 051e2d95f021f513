// Whoever goes by keyboard sees where they are, also when something above them arrives late and grows.

/** Brings what the keyboard is at back into sight when it is pushed out of it; not when somebody scrolls away. Once. */
export function keepFocusInSight(): void {
  let wasSeen = false;
  const watch = new IntersectionObserver((entries) => {
    const last = entries.at(-1);
    if (!last) return;
    if (wasSeen && !last.isIntersecting && last.target === document.activeElement) last.target.scrollIntoView({ block: 'nearest', behavior: 'instant' });
    wasSeen ||= last.isIntersecting;
  });
  const forget = (): void => {
    watch.disconnect();
    wasSeen = false;
  };
  addEventListener('focusin', ({ target }) => {
    forget();
    if (target instanceof HTMLElement && target.matches(':focus-visible')) watch.observe(target);
  });
  addEventListener('focusout', forget);
  // From here on what moves the page is what they ask for: with the wheel, a finger, a key, or the way back.
  for (const own of ['wheel', 'touchmove', 'pointerdown', 'keydown', 'popstate']) addEventListener(own, forget, { capture: true, passive: true });
}
