// Styles for the system's high-contrast mode (forced-colors), which removes every background and shadow, and
// so whatever only a tint conveyed. Loaded only while that mode is on.

const chosen = 'forced-color-adjust: none; background-color: Highlight; color: HighlightText';

const rules = `
:focus-visible, .Mui-focusVisible { outline: 3px solid Highlight !important; outline-offset: 1px !important }
tr:focus-visible { outline-offset: -3px !important }
.MuiOutlinedInput-root.Mui-focused { outline: 3px solid Highlight !important }
/* Buttons that only a colour filled. */
.MuiButton-contained, .MuiIconButton-root, .MuiButton-text { border: 1px solid ButtonBorder !important }
.MuiChip-root, .MuiAlert-root, .MuiDialog-paper, .MuiTooltip-tooltip, .MuiBadge-badge, .MuiAvatar-root, .MuiSkeleton-root { border: 1px solid CanvasText !important }
.Mui-disabled, [aria-disabled="true"] { color: GrayText !important; border-color: GrayText !important }
/* What is chosen: tabs, toggles, rows, entries of menus and lists, the page in the menu. */
.MuiTabs-indicator { ${chosen}; height: 4px !important }
.MuiTab-root.Mui-selected { forced-color-adjust: none; color: Highlight }
.MuiToggleButton-root.Mui-selected, .MuiMenuItem-root.Mui-selected, .MuiListItemButton-root.Mui-selected, .MuiListItemButton-root[aria-current], .MuiAutocomplete-option[aria-selected="true"], .MuiAutocomplete-option.Mui-focused { ${chosen.replaceAll(';', ' !important;')} !important }
.MuiListItemButton-root.Mui-selected *, .MuiListItemButton-root[aria-current] *, .MuiMenuItem-root.Mui-selected * { forced-color-adjust: none; color: inherit }
.MuiTableRow-root.Mui-selected, button[aria-pressed="true"] { outline: 2px solid Highlight !important; outline-offset: -2px }
/* Switches: the track has a border, the thumb a place; both need a colour of their own. */
.MuiSwitch-track { forced-color-adjust: none; background-color: Canvas !important; border-color: ButtonText !important }
.MuiSwitch-thumb { forced-color-adjust: none; background-color: ButtonText !important; border-color: Canvas !important }
.Mui-checked .MuiSwitch-thumb { background-color: CanvasText !important }
.Mui-checked + .MuiSwitch-track { background-color: Highlight !important; border-color: Highlight !important }
.MuiCheckbox-root.Mui-checked, .MuiRadio-root.Mui-checked, .MuiCheckbox-indeterminate { forced-color-adjust: none; color: Highlight !important }
.MuiLinearProgress-root { border: 1px solid CanvasText; box-sizing: border-box }
.MuiLinearProgress-bar, [data-bar] { forced-color-adjust: none; background-color: Highlight !important }
/* Charts keep their colours, which may lie on black or white here: so do the swatches that name them. Their edges and patterns are chart/look.ts. */
[data-swatch] { outline: 1px solid CanvasText }
svg[role="img"], svg[aria-hidden="true"] { color: CanvasText }
`;

/** Adds the rules to the page; they apply while the mode is on. */
export function adoptForcedColours(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`@media (forced-colors: active) {${rules}}`);
  document.adoptedStyleSheets.push(sheet);
}
