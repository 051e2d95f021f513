// Scrolls to the start of a page and puts the keyboard focus there.

/**
 * Scrolls to the top and moves the focus there, so that after paging at the bottom of a list the new rows are
 * read from the first.
 */
export function goToPageStart(): void {
  scrollTo(0, 0);
  document.querySelector('main')?.focus({ preventScroll: true });
}
