// The palette's own keys on this computer.

/** Whether keyboards here have ⌘. */
export const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);
export const paletteKeys: readonly string[] = isApple ? ['⌘', 'K'] : ['Ctrl', 'K'];
