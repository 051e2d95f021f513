// Whether shortcuts use ⌘ or Ctrl.

/** Whether keyboards here have ⌘. */
export const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);
export const paletteKeys: readonly string[] = isApple ? ['⌘', 'K'] : ['Ctrl', 'K'];
