// When a pressed key is a shortcut: not while somebody types, and not inside what has keys of its own.

/** Whether a key without Ctrl, Alt or Command may mean a shortcut where it was pressed. */
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
