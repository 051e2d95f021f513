// The menu's width, for which the frame leaves room before the menu is loaded.

/** R-SHELL-08, in pixels. */
export const sidebarWidth = 250;
