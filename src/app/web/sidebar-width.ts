// The menu's width, which the frame reserves before the menu is loaded.

/** R-SHELL-08, in pixels. */
export const sidebarWidth = 250;
