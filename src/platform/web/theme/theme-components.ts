// Overrides for MUI's components, so that screens need almost no styling of their own.
import type { Components, CssVarsTheme, Theme } from '@mui/material/styles';

type Overrides = Components<Omit<Theme, 'components' | 'palette'> & CssVarsTheme>;

const tones = ['primary', 'secondary', 'error', 'warning', 'info', 'success'] as const;

/** 44 px for touch, whatever the size for a pointer. */
const coarse = '@media (pointer: coarse)';

/** Sentences that are no paragraphs: below and beside inputs, in small print and in alerts. */
const sentences =
  '.MuiFormHelperText-root, .MuiFormControlLabel-label, .MuiTypography-caption, .MuiAlert-message';

const baseline: Overrides['MuiCssBaseline'] = {
  styleOverrides: (theme) => ({
    html: { WebkitTextSizeAdjust: '100%' },
    // An element that is focused or scrolled to must not end up below the top bar. The page's own scroll
    // padding would not work: the bar's buttons would count as covered, and focusing them would scroll the
    // page.
    'main :where(*)': { scrollMarginTop: '72px' },
    body: { textAutospace: 'normal', lineBreak: 'strict', overflowWrap: 'break-word', minHeight: '100dvh' },
    // If a Chinese font also draws Latin text, apostrophes and quotes are as wide as a Chinese character
    // without this.
    ':lang(en)': { fontVariantEastAsian: 'proportional-width' },
    'h1, h2, h3': { textWrap: 'balance' },
    'p, li, dd': { textWrap: 'pretty' },
    // Japanese wraps between phrases in browsers that detect them, not within a word.
    // Not in buttons and in tables other than lists, whose widths would follow.
    [`:lang(ja) :is(h1, h2, h3, p, li, dt, dd, ${sentences})`]: { wordBreak: 'auto-phrase' },
    'table, time, output, .tabular': { fontVariantNumeric: 'tabular-nums' },
    a: { color: theme.vars.palette.primary.main },
    // A standalone link (not within a sentence) and a summary get a touch target of 44 px.
    [coarse]: {
      '[data-standalone]': { display: 'inline-flex', alignItems: 'center', minHeight: 44, minWidth: 44 },
      summary: { paddingBlock: 11 },
    },
    // One focus ring for everything that can be focused; components inherit it.
    ':focus-visible': { outline: `2px solid ${theme.vars.palette.focusRing}`, outlineOffset: 2 },
    // What a dialog focuses while none of its fields can be: not a place where a key does something.
    '[role$="dialog"]:focus-visible': { outline: 'none' },
    '::selection': {
      backgroundColor: theme.vars.palette.primary.soft,
      color: theme.vars.palette.primary.softText,
    },
    '@media (prefers-reduced-motion: reduce)': reducedMotion,
    '[data-motion="reduced"]': reducedMotion['*, *::before, *::after'],
    '[data-motion="reduced"] *, [data-motion="reduced"] *::before, [data-motion="reduced"] *::after':
      reducedMotion['*, *::before, *::after'],
    '@media print': {
      body: { backgroundColor: '#FFFFFF', colorScheme: 'light' },
      '[data-screen-only]': { display: 'none !important' },
    },
  }),
};

const reducedMotion = {
  '*, *::before, *::after': {
    animationDuration: '1ms !important',
    animationIterationCount: '1 !important',
    // Off, not merely short: a short transition of an inherited property restarts in each nested element.
    transition: 'none !important',
    scrollBehavior: 'auto !important',
  },
} as const;

const buttons = {
  MuiButtonBase: { defaultProps: { disableRipple: true } },
  MuiButton: {
    defaultProps: { disableElevation: true },
    styleOverrides: {
      root: {
        minHeight: 36,
        paddingInline: 16,
        whiteSpace: 'nowrap',
        transition: 'background-color 120ms, border-color 120ms, color 120ms',
        [coarse]: { minHeight: 44 },
      },
      sizeSmall: { minHeight: 32, paddingInline: 10, [coarse]: { minHeight: 44 } },
      sizeLarge: { minHeight: 44, paddingInline: 22 },
      outlined: ({ theme }) => ({ borderColor: theme.vars.palette.control }),
    },
    variants: tones.map((color) => ({
      props: { variant: 'outlined' as const, color },
      style: ({ theme }: { theme: CssVarsTheme }) => ({
        color: theme.vars.palette[color].main,
        '&:hover': {
          backgroundColor: theme.vars.palette[color].soft,
          borderColor: theme.vars.palette[color].main,
        },
      }),
    })),
  },
  MuiIconButton: {
    styleOverrides: {
      root: ({ theme }) => ({
        width: 36,
        height: 36,
        borderRadius: theme.vars.shape.borderRadius,
        color: 'inherit',
        [coarse]: { width: 44, height: 44 },
      }),
      sizeSmall: { width: 28, height: 28, [coarse]: { width: 44, height: 44 } },
    },
  },
  MuiCheckbox: { styleOverrides: { root: { [coarse]: { padding: 12 } } } },
  MuiRadio: { styleOverrides: { root: { [coarse]: { padding: 12 } } } },
  MuiToggleButton: {
    styleOverrides: {
      root: ({ theme }) => ({
        minHeight: 36,
        paddingInline: 12,
        borderColor: theme.vars.palette.control,
        color: theme.vars.palette.text.primary,
        fontWeight: 400,
        [coarse]: { minHeight: 44, minWidth: 44 },
        '&.Mui-selected, &.Mui-selected:hover': {
          backgroundColor: theme.vars.palette.primary.soft,
          color: theme.vars.palette.primary.softText,
          fontWeight: 700,
        },
      }),
    },
  },
  MuiSwitch: {
    styleOverrides: {
      track: ({ theme }) => ({
        opacity: 1,
        backgroundColor: theme.vars.palette.sunken,
        border: `1px solid ${theme.vars.palette.control}`,
        boxSizing: 'border-box',
      }),
      thumb: ({ theme }) => ({
        boxShadow: 'none',
        backgroundColor: theme.vars.palette.control,
        border: `2px solid ${theme.vars.palette.background.paper}`,
        boxSizing: 'border-box',
      }),
      switchBase: ({ theme }) => ({
        '&.Mui-checked .MuiSwitch-thumb': { backgroundColor: theme.vars.palette.primary.main },
        '&.Mui-checked + .MuiSwitch-track': {
          opacity: 1,
          backgroundColor: theme.vars.palette.primary.soft,
          borderColor: theme.vars.palette.primary.main,
        },
      }),
    },
  },
  MuiStepIcon: { styleOverrides: { root: ({ theme }) => ({ color: theme.vars.palette.control }) } },
  MuiTab: { styleOverrides: { root: { minHeight: 44, paddingBlock: 8 } } },
  // A disabled scroll arrow takes no space, so that the first tab is aligned with the page.
  MuiTabs: {
    // Scroll buttons on phones too: otherwise a cut-off tab looks like the last one.
    defaultProps: { allowScrollButtonsMobile: true },
    styleOverrides: { root: { minHeight: 44, '& .MuiTabScrollButton-root.Mui-disabled': { width: 0 } } },
  },
} satisfies Overrides;

const inputs = {
  MuiTextField: { defaultProps: { size: 'small', fullWidth: true } },
  MuiFormControl: { defaultProps: { size: 'small', fullWidth: true } },
  MuiSelect: { defaultProps: { size: 'small' } },
  MuiOutlinedInput: {
    styleOverrides: {
      root: ({ theme }) => ({
        minHeight: 40,
        backgroundColor: theme.vars.palette.background.paper,
        [coarse]: { minHeight: 44 },
        '&.Mui-focused': { outline: 'none' },
        '&.Mui-focused .MuiOutlinedInput-notchedOutline': {
          borderColor: theme.vars.palette.focusRing,
          borderWidth: 2,
        },
      }),
      notchedOutline: ({ theme }) => ({ borderColor: theme.vars.palette.control }),
      input: ({ theme }) => ({
        '&:focus-visible': { outline: 'none' },
        '&::placeholder': { color: theme.vars.palette.placeholder, opacity: 1 },
      }),
    },
  },
  MuiInputLabel: { styleOverrides: { root: ({ theme }) => ({ color: theme.vars.palette.text.secondary }) } },
  MuiFormControlLabel: { styleOverrides: { root: { [coarse]: { minHeight: 44 } } } },
  MuiFormHelperText: {
    styleOverrides: {
      root: { marginInline: 2, marginBottom: 6, fontSize: '0.8125rem', lineHeight: 20 / 13 },
    },
  },
  MuiFormLabel: { styleOverrides: { asterisk: ({ theme }) => ({ color: theme.vars.palette.error.main }) } },
} satisfies Overrides;

const surfaces = {
  MuiPaper: { defaultProps: { elevation: 0 }, styleOverrides: { root: { backgroundImage: 'none' } } },
  MuiCard: {
    defaultProps: { variant: 'outlined' },
    styleOverrides: { root: ({ theme }) => ({ borderColor: theme.vars.palette.divider, boxShadow: 'none' }) },
  },
  MuiAppBar: {
    defaultProps: { elevation: 0, color: 'default' },
    styleOverrides: {
      root: ({ theme }) => ({
        backgroundColor: theme.vars.palette.appBar.background,
        color: theme.vars.palette.appBar.text,
        borderBottom: `1px solid ${theme.vars.palette.appBar.border}`,
        ':focus-visible': { outlineColor: theme.vars.palette.appBar.text },
      }),
    },
  },
  MuiMenu: { styleOverrides: { paper: popover } },
  MuiPopover: { styleOverrides: { paper: popover } },
  MuiAutocomplete: { styleOverrides: { paper: popover } },
  MuiMenuItem: {
    styleOverrides: {
      root: {
        minHeight: 36,
        fontSize: '0.875rem',
        [coarse]: { minHeight: 44 },
        // The menu clips what is outside its rows.
        '&:focus-visible': { outlineOffset: -2 },
      },
    },
  },
  MuiDialog: {
    styleOverrides: {
      paper: ({ theme }) => ({
        backgroundColor: theme.vars.palette.overlay,
        boxShadow: theme.vars.palette.shadow.dialog,
        backgroundImage: 'none',
      }),
    },
  },
  MuiDialogTitle: {
    styleOverrides: {
      root: { fontSize: '1.125rem', lineHeight: 26 / 18, fontWeight: 700, padding: '20px 24px 8px' },
    },
  },
  // A long label on a phone gets a row of its own.
  MuiDialogActions: { styleOverrides: { root: { padding: '12px 24px 20px', gap: 8, flexWrap: 'wrap' } } },
  MuiDrawer: {
    styleOverrides: {
      paper: ({ theme }) => ({
        backgroundColor: theme.vars.palette.background.paper,
        backgroundImage: 'none',
      }),
    },
  },
  MuiTooltip: {
    defaultProps: { arrow: true, enterDelay: 300 },
    styleOverrides: {
      tooltip: ({ theme }) => ({
        fontSize: '0.8125rem',
        lineHeight: 1.5,
        backgroundColor: theme.vars.palette.text.primary,
        color: theme.vars.palette.background.paper,
      }),
      arrow: ({ theme }) => ({ color: theme.vars.palette.text.primary }),
    },
  },
} satisfies Overrides;

function popover({ theme }: { theme: CssVarsTheme }) {
  return {
    backgroundColor: theme.vars.palette.overlay,
    border: `1px solid ${theme.vars.palette.divider}`,
    boxShadow: theme.vars.palette.shadow.popover,
    backgroundImage: 'none',
  };
}

const data = {
  // The label is as high as a title next to it, so that both align.
  MuiTableSortLabel: { styleOverrides: { root: { verticalAlign: 'top' } } },
  MuiTableCell: {
    styleOverrides: {
      root: ({ theme }) => ({
        borderColor: theme.vars.palette.divider,
        padding: '0 12px',
        // On a tablet, every column of a list counts.
        [theme.breakpoints.between('sm', 'md')]: { paddingInline: 8 },
        height: 44,
        fontSize: '0.875rem',
        lineHeight: 22 / 14,
      }),
      sizeSmall: { height: 36 },
      head: ({ theme }) => ({
        fontWeight: 700,
        color: theme.vars.palette.text.secondary,
        backgroundColor: theme.vars.palette.sunken,
        whiteSpace: 'nowrap',
      }),
      paddingCheckbox: { padding: '0 0 0 4px', width: 44 },
    },
  },
  MuiTableRow: { styleOverrides: { root: { '&:last-child td, &:last-child th': { borderBottom: 0 } } } },
  MuiChip: {
    styleOverrides: {
      root: {
        borderRadius: 5,
        fontWeight: 400,
        height: 26,
        fontSize: '0.8125rem',
        [coarse]: { '&.MuiChip-clickable, &.MuiChip-deletable': { height: 44 } },
      },
    },
  },
  MuiAlert: {
    defaultProps: { variant: 'standard' },
    styleOverrides: {
      root: {
        alignItems: 'flex-start',
        fontSize: '0.875rem',
        lineHeight: 22 / 14,
        border: '1px solid transparent',
        // On a phone what can be done stands below what is said, which keeps the whole width.
        '@media (max-width: 599.95px)': {
          '&:has(> .MuiAlert-action > .MuiButton-root)': { flexWrap: 'wrap' },
          '& > .MuiAlert-message': { flex: '1 1 calc(100% - 48px)', minWidth: 0 },
          '& > .MuiAlert-action': { paddingTop: 0, marginInlineStart: 'auto' },
        },
      },
    },
    variants: (['error', 'warning', 'info', 'success'] as const).map((severity) => ({
      props: { variant: 'standard' as const, severity },
      style: ({ theme }: { theme: CssVarsTheme }) => ({
        backgroundColor: theme.vars.palette[severity].soft,
        color: theme.vars.palette[severity].softText,
        borderColor: `color-mix(in srgb, ${theme.vars.palette[severity].main} 35%, transparent)`,
        '& .MuiAlert-icon': { color: theme.vars.palette[severity].softText },
      }),
    })),
  },
  MuiLinearProgress: {
    styleOverrides: {
      root: ({ theme }) => ({ borderRadius: 4, height: 8, backgroundColor: theme.vars.palette.sunken }),
    },
  },
  MuiSkeleton: {
    defaultProps: { animation: 'pulse' },
    styleOverrides: {
      root: ({ theme }) => ({ backgroundColor: theme.vars.palette.sunken, borderRadius: 5 }),
    },
  },
  MuiLink: { defaultProps: { underline: 'always' } },
  MuiBadge: { styleOverrides: { badge: { fontWeight: 700, fontVariantNumeric: 'tabular-nums' } } },
  MuiListItemButton: {
    styleOverrides: {
      root: ({ theme }) => ({
        borderRadius: theme.vars.shape.borderRadius,
        minHeight: 40,
        [coarse]: { minHeight: 44 },
      }),
    },
  },
  MuiTypography: { defaultProps: { variantMapping: { kpi: 'p', mono: 'code' } } },
  MuiSvgIcon: { styleOverrides: { root: { fontSize: 20 } } },
} satisfies Overrides;

/** All overrides of the theme. */
export const componentOverrides: Overrides = {
  MuiCssBaseline: baseline,
  ...buttons,
  ...inputs,
  ...surfaces,
  ...data,
};
