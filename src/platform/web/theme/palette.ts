// Every color of the console, once for light and once for dark mode; no other file defines a color.

/**
 * The colors of one meaning: `main` on paper, `contrastText` on `main`, `hover`, and text on a soft tint for
 * badges.
 */
export type Tone = {
  readonly main: string;
  readonly contrastText: string;
  readonly hover: string;
  readonly softText: string;
  readonly soft: string;
};
export type Scheme = {
  readonly background: Readonly<Record<'default' | 'paper' | 'sunken' | 'raised' | 'overlay', string>>;
  readonly text: Readonly<Record<'primary' | 'secondary' | 'placeholder', string>>;
  readonly divider: string;
  readonly control: string;
  readonly focus: string;
  readonly shadow: readonly [string, string];
  readonly tones: Readonly<
    Record<
      'primary' | 'error' | 'warning' | 'info' | 'success' | 'admin' | 'logo' | 'alarm' | 'neutral',
      Tone
    >
  >;
  readonly appBar: Readonly<Record<'background' | 'text' | 'border', string>>;
  readonly location: Readonly<
    Record<'free' | 'reserved' | 'processing' | 'used' | 'locked' | 'disabled', string>
  >;
  readonly order: Readonly<Record<'build' | 'take' | 'finish' | 'cancel', string>>;
  readonly stateText: string;
  readonly quota: Readonly<Record<'normal' | 'warning' | 'critical', string>>;
  readonly chart: readonly [string, string, string, string, string, string, string];
  readonly chartOther: string;
};

/** Text on the soft tint is as strong as the hover color. */
const tone = (colours: Omit<Tone, 'softText'>): Tone => ({ ...colours, softText: colours.hover });

export const light: Scheme = {
  background: {
    default: '#F5F7FA',
    paper: '#FFFFFF',
    sunken: '#EBF0F6',
    raised: '#FFFFFF',
    overlay: '#FFFFFF',
  },
  text: { primary: '#16202E', secondary: '#4D5B6E', placeholder: '#5C6A7D' },
  divider: '#D5DCE5',
  control: '#7A8797',
  focus: '#0A66C2',
  shadow: ['0 4px 16px rgba(16,24,40,.12)', '0 12px 32px rgba(16,24,40,.18)'],
  tones: {
    primary: tone({ main: '#1F4E8C', contrastText: '#FFFFFF', hover: '#163A69', soft: '#E3ECF8' }),
    error: tone({ main: '#B3261E', contrastText: '#FFFFFF', hover: '#8C1D18', soft: '#FCE8E6' }),
    warning: tone({ main: '#8A5300', contrastText: '#FFFFFF', hover: '#6B4000', soft: '#FFF1D6' }),
    info: tone({ main: '#0B63A5', contrastText: '#FFFFFF', hover: '#084C80', soft: '#E1F0FB' }),
    success: tone({ main: '#1A7440', contrastText: '#FFFFFF', hover: '#125A31', soft: '#E2F4E9' }),
    admin: tone({ main: '#B0273A', contrastText: '#FFFFFF', hover: '#8A1C2C', soft: '#FBE7EA' }),
    logo: tone({ main: '#0B6E7F', contrastText: '#FFFFFF', hover: '#085562', soft: '#DFF2F5' }),
    alarm: tone({ main: '#B54708', contrastText: '#FFFFFF', hover: '#8F3600', soft: '#FFECDD' }),
    neutral: tone({ main: '#4D5B6E', contrastText: '#FFFFFF', hover: '#465264', soft: '#E9EDF2' }),
  },
  appBar: { background: '#1F4E8C', text: '#FFFFFF', border: '#163A69' },
  location: {
    free: '#1D6746',
    reserved: '#1A75DE',
    processing: '#9E6D00',
    used: '#540F6A',
    locked: '#6C0B04',
    disabled: '#515963',
  },
  order: { build: '#002F83', take: '#733E00', finish: '#018357', cancel: '#676F7A' },
  stateText: '#FFFFFF',
  quota: { normal: '#1F4E8C', warning: '#B87300', critical: '#A3160F' },
  chart: ['#1F4E8C', '#A14301', '#008358', '#DB7098', '#0A9AEC', '#9E9631', '#611340'],
  chartOther: '#6B7686',
};

export const dark: Scheme = {
  background: {
    default: '#0F1621',
    paper: '#17202C',
    sunken: '#0B111A',
    raised: '#1E2937',
    overlay: '#263343',
  },
  text: { primary: '#E8EDF4', secondary: '#A9B6C6', placeholder: '#93A1B3' },
  divider: '#2E3B4C',
  control: '#7F8EA1',
  focus: '#8FB8F6',
  shadow: ['0 4px 16px rgba(0,0,0,.4)', '0 12px 32px rgba(0,0,0,.5)'],
  tones: {
    primary: tone({ main: '#8FB8F6', contrastText: '#0C1C33', hover: '#B5D0FA', soft: '#1C304D' }),
    error: tone({ main: '#FF8A80', contrastText: '#3A0A07', hover: '#FFB4AB', soft: '#3B1A1A' }),
    warning: tone({ main: '#F5B454', contrastText: '#2B1B00', hover: '#FFD08A', soft: '#362813' }),
    info: tone({ main: '#7CC4F5', contrastText: '#06243A', hover: '#A9D9FA', soft: '#12304A' }),
    success: tone({ main: '#6FD39B', contrastText: '#06281A', hover: '#9DE3BB', soft: '#12342A' }),
    admin: tone({ main: '#FF8F9C', contrastText: '#3D0911', hover: '#FFB8C0', soft: '#3C1A22' }),
    logo: tone({ main: '#5CC8DC', contrastText: '#04272D', hover: '#93DCE9', soft: '#0F3038' }),
    alarm: tone({ main: '#FF9F5A', contrastText: '#331400', hover: '#FFC195', soft: '#3A2416' }),
    neutral: tone({ main: '#A9B6C6', contrastText: '#0C141F', hover: '#C4CEDA', soft: '#2A3542' }),
  },
  appBar: { background: '#17202C', text: '#E8EDF4', border: '#2E3B4C' },
  location: {
    free: '#76E5AD',
    reserved: '#1D8EF5',
    processing: '#FEA92F',
    used: '#EDB1FB',
    locked: '#F75C61',
    disabled: '#9CA5B1',
  },
  order: { build: '#358BF6', take: '#BF7A35', finish: '#73E6A6', cancel: '#CFD8E5' },
  stateText: '#0C141F',
  quota: { normal: '#8FB8F6', warning: '#F5C86B', critical: '#FF6B5E' },
  chart: ['#8FB8F6', '#D4A057', '#80F2BC', '#FCC5DE', '#3186A2', '#807F24', '#B75574'],
  chartOther: '#8E9AAA',
};
