// How wide the menu is: the frame makes room for it before it is there.

/** R-SHELL-08, in pixels. */
export const sidebarWidth = 250;
