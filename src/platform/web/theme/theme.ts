// The look of the console as one MUI theme: both color schemes, type, density, focus, motion.
import type {} from '@mui/material/themeCssVarsAugmentation';
import { createTheme } from '@mui/material/styles';
import { componentOverrides } from './theme-components.ts';
import { dark, light, type Scheme, type Tone } from './palette.ts';

/** Local-storage key of the mode ('light' or 'dark'); the pre-paint script in index.html reads it too. */
export const themeStorageKey = 'themeStore';
/** The attribute of `<html>` that holds the active color scheme. */
export const themeAttribute = 'data-theme';

/** A palette entry with the tint and text of its soft badge. */
type TonePalette = Omit<Tone, 'hover'> & { light: string; dark: string };

type OwnPalette = {
  admin: TonePalette;
  logo: TonePalette;
  alarm: TonePalette;
  neutral: TonePalette;
  /** States of a warehouse location: colors only (R-SHELL-18). */
  location: Scheme['location'];
  /** States of a container order: colors only (R-SHELL-18). */
  order: Scheme['order'];
  /** Text on a `location` or `order` color. */
  stateText: string;
  /** Fills of quota bars; the word and the icon next to them carry the meaning too. */
  quota: Scheme['quota'];
  /** Series colors of charts, and the one for "others". */
  chart: { 1: string; 2: string; 3: string; 4: string; 5: string; 6: string; 7: string; other: string };
  sunken: string;
  raised: string;
  overlay: string;
  /** Borders of inputs and other controls (contrast of 3:1 or more). */
  control: string;
  placeholder: string;
  focusRing: string;
  appBar: { background: string; text: string; border: string };
  shadow: { popover: string; dialog: string };
};

declare module '@mui/material/styles' {
  interface Palette extends OwnPalette {}
  interface PaletteOptions extends OwnPalette {}
  interface PaletteColor {
    soft: string;
    softText: string;
  }
  interface SimplePaletteColorOptions {
    soft?: string;
    softText?: string;
  }
  interface TypographyVariants {
    kpi: React.CSSProperties;
    mono: React.CSSProperties;
  }
  interface TypographyVariantsOptions {
    kpi?: React.CSSProperties;
    mono?: React.CSSProperties;
  }
}
declare module '@mui/material/Typography' {
  interface TypographyPropsVariantOverrides {
    kpi: true;
    mono: true;
  }
}

const entry = ({ hover, ...tone }: Tone): TonePalette => ({ ...tone, light: hover, dark: hover });

const paletteOf = (colours: Scheme) => ({
  primary: entry(colours.tones.primary),
  secondary: entry(colours.tones.neutral),
  error: entry(colours.tones.error),
  warning: entry(colours.tones.warning),
  info: entry(colours.tones.info),
  success: entry(colours.tones.success),
  admin: entry(colours.tones.admin),
  logo: entry(colours.tones.logo),
  alarm: entry(colours.tones.alarm),
  neutral: entry(colours.tones.neutral),
  background: { default: colours.background.default, paper: colours.background.paper },
  text: { primary: colours.text.primary, secondary: colours.text.secondary },
  divider: colours.divider,
  location: colours.location,
  order: colours.order,
  stateText: colours.stateText,
  quota: colours.quota,
  chart: {
    1: colours.chart[0],
    2: colours.chart[1],
    3: colours.chart[2],
    4: colours.chart[3],
    5: colours.chart[4],
    6: colours.chart[5],
    7: colours.chart[6],
    other: colours.chartOther,
  },
  sunken: colours.background.sunken,
  raised: colours.background.raised,
  overlay: colours.background.overlay,
  control: colours.control,
  placeholder: colours.text.placeholder,
  focusRing: colours.focus,
  appBar: colours.appBar,
  shadow: { popover: colours.shadow[0], dialog: colours.shadow[1] },
});

// A language pack sets the fonts with the character forms that its readers expect (`--language-fonts`).
const sans =
  '"Segoe UI",-apple-system,BlinkMacSystemFont,Roboto,"Noto Sans",var(--language-fonts,"PingFang TC"),"PingFang TC","Microsoft JhengHei UI","Microsoft JhengHei","Noto Sans TC","Noto Sans CJK TC",sans-serif';
const mono = 'ui-monospace,"SF Mono","Cascadia Mono",Consolas,"Noto Sans Mono CJK TC",monospace';
const size = (px: number, line: number) => ({
  fontSize: `${px / 16}rem`,
  lineHeight: line / px,
  letterSpacing: 0,
});
const ease = 'cubic-bezier(.2,0,0,1)';

/**
 * Creates the only theme. Colors are CSS variables, so switching the mode repaints without a render. It takes
 * a slow phone 60 ms, so it does not run when this module loads, but in a separate task of the page's start.
 */
export const makeTheme = () =>
  createTheme({
    cssVariables: { colorSchemeSelector: themeAttribute },
    defaultColorScheme: 'light',
    colorSchemes: {
      light: { palette: paletteOf(light) },
      dark: { palette: paletteOf(dark) },
    },
    shape: { borderRadius: 5 },
    spacing: 8,
    breakpoints: { values: { xs: 0, sm: 600, md: 900, lg: 1200, xl: 1536 } },
    typography: {
      fontFamily: sans,
      // Microsoft JhengHei has only two weights: browsers would draw 500 and 600 as either of them.
      fontWeightLight: 400,
      fontWeightRegular: 400,
      fontWeightMedium: 700,
      fontWeightBold: 700,
      h1: { ...size(24, 32), fontWeight: 700 },
      h2: { ...size(18, 26), fontWeight: 700 },
      h3: { ...size(16, 24), fontWeight: 700 },
      h4: { ...size(16, 24), fontWeight: 700 },
      h5: { ...size(15, 24), fontWeight: 700 },
      h6: { ...size(15, 24), fontWeight: 700 },
      subtitle1: { ...size(15, 24), fontWeight: 700 },
      subtitle2: { ...size(14, 22), fontWeight: 700 },
      body1: size(15, 24),
      body2: size(14, 22),
      caption: size(13, 20),
      overline: { ...size(13, 20), textTransform: 'none' },
      button: { ...size(14, 22), fontWeight: 700, textTransform: 'none' },
      kpi: {
        fontSize: 'clamp(1.125rem, 14cqi, 1.75rem)',
        lineHeight: 1.3,
        fontWeight: 700,
        letterSpacing: 0,
        fontVariantNumeric: 'tabular-nums',
      },
      mono: { ...size(13, 20), fontFamily: mono },
    },
    transitions: {
      duration: {
        shortest: 120,
        shorter: 120,
        short: 120,
        standard: 180,
        complex: 240,
        enteringScreen: 240,
        leavingScreen: 180,
      },
      easing: { easeInOut: ease, easeOut: ease, easeIn: ease, sharp: ease },
    },
    motion: { reducedMotion: 'system' },
    components: componentOverrides,
  });
