// Where a page begins, for the eye and for the keyboard.

/** Shows a page from its top, and lets the keyboard continue there: what was asked for at its bottom appears at its top. */
export function goToPageStart(): void {
  scrollTo(0, 0);
  document.querySelector('main')?.focus({ preventScroll: true });
}
