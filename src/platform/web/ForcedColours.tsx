// What a system's own high-contrast colours (forced-colors) would swallow: they take away every background and shadow, and with
// them whatever only a tint said. Fetched only where such colours are on.
import GlobalStyles from '@mui/material/GlobalStyles';

const chosen = { forcedColorAdjust: 'none', backgroundColor: 'Highlight', color: 'HighlightText' } as const;
const bordered = { border: '1px solid ButtonBorder !important' } as const;

const styles = {
  '@media (forced-colors: active)': {
    ':focus-visible, .Mui-focusVisible': { outline: '3px solid Highlight !important', outlineOffset: '1px !important' },
    '.MuiOutlinedInput-root.Mui-focused': { outline: '3px solid Highlight !important' },
    // Buttons that only a colour filled.
    '.MuiButton-contained, .MuiIconButton-root, .MuiButton-text, .MuiFab-root': bordered,
    '.MuiChip-root, .MuiAlert-root, .MuiDialog-paper, .MuiTooltip-tooltip, .MuiBadge-badge, .MuiAvatar-root, .MuiSkeleton-root': { border: '1px solid CanvasText !important' },
    '.Mui-disabled, [aria-disabled="true"]': { color: 'GrayText !important', borderColor: 'GrayText !important' },
    // What is chosen: tabs, toggles, rows, menu and list entries, the page in the menu.
    '.MuiTabs-indicator': { ...chosen, height: '4px !important' },
    '.MuiTab-root.Mui-selected': { color: 'Highlight', forcedColorAdjust: 'none' },
    '.MuiToggleButton-root.Mui-selected, .MuiMenuItem-root.Mui-selected, .MuiListItemButton-root.Mui-selected, .MuiListItemButton-root[aria-current], .MuiAutocomplete-option[aria-selected="true"], .MuiAutocomplete-option.Mui-focused': chosen,
    '.MuiListItemButton-root.Mui-selected *, .MuiListItemButton-root[aria-current] *, .MuiMenuItem-root.Mui-selected *': { color: 'inherit', forcedColorAdjust: 'none' },
    '.MuiTableRow-root.Mui-selected': { outline: '2px solid Highlight !important', outlineOffset: '-2px' },
    'button[aria-pressed="true"]': { outline: '2px solid Highlight !important', outlineOffset: '-2px' },
    // Switches: the track has a border, the thumb a place; both need a colour of their own.
    '.MuiSwitch-track': { forcedColorAdjust: 'none', backgroundColor: 'Canvas !important', borderColor: 'ButtonText !important' },
    '.MuiSwitch-thumb': { forcedColorAdjust: 'none', backgroundColor: 'ButtonText !important', borderColor: 'Canvas !important' },
    '.Mui-checked .MuiSwitch-thumb': { backgroundColor: 'HighlightText !important' },
    '.Mui-checked + .MuiSwitch-track': { backgroundColor: 'Highlight !important', borderColor: 'Highlight !important' },
    '.MuiCheckbox-root.Mui-checked, .MuiRadio-root.Mui-checked, .MuiCheckbox-indeterminate': { color: 'Highlight !important', forcedColorAdjust: 'none' },
    '.MuiLinearProgress-root': { border: '1px solid CanvasText', boxSizing: 'border-box' },
    '.MuiLinearProgress-bar, [data-bar]': { forcedColorAdjust: 'none', backgroundColor: 'Highlight !important' },
    // Charts keep their colours, which may lie on black or white here: an edge in the text's colour shows each part.
    'svg [data-part]': { stroke: 'CanvasText !important', strokeWidth: '1.5 !important' },
    'svg [data-grid]': { stroke: 'GrayText !important' },
    '[data-swatch]': { outline: '1px solid CanvasText' },
    'svg[role="img"], svg[aria-hidden="true"]': { color: 'CanvasText' },
  },
};

export function ForcedColours() {
  return <GlobalStyles styles={styles} />;
}
