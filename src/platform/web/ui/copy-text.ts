// The clipboard.

/**
 * Copies a text; rejects when the browser does not allow it. Pages served over plain http have no
 * `navigator.clipboard`: there, the text is selected in a field and copied with `execCommand`.
 */
export async function copyText(text: string): Promise<void> {
  if ('clipboard' in navigator) return navigator.clipboard.writeText(text);
  const before = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.style.position = 'fixed';
  field.style.opacity = '0';
  // Within the dialog: outside of it, nothing can be focused.
  (before?.parentElement ?? document.body).append(field);
  field.select();
  // oxlint-disable-next-line typescript/no-deprecated -- there is no other way on such pages
  const isCopied = document.execCommand('copy');
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  if (!isCopied) throw new Error('the browser did not copy');
}
