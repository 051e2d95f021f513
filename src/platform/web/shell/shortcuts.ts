// When a pressed key is a shortcut: not while the user types, and not inside a component that handles keys
// itself.

/** Whether a key without Ctrl, Alt or Command can be a shortcut in the element where it was pressed. */
export function mayBeShortcut(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey)
    return false;
  const target = event.target instanceof HTMLElement ? event.target : null;
  return (
    !target?.isContentEditable &&
    !target?.closest(
      'input, textarea, select, [role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]',
    )
  );
}
