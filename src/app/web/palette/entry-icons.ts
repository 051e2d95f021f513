// The icons of the palette's entries: the menu's, and those of actions.
import AppRegistrationOutlined from '~icons/ic/outline-app-registration';
import DarkModeOutlined from '~icons/ic/outline-dark-mode';
import DensitySmallOutlined from '~icons/ic/outline-density-small';
import FullscreenOutlined from '~icons/ic/outline-fullscreen';
import HomeOutlined from '~icons/ic/outline-home';
import KeyboardOutlined from '~icons/ic/outline-keyboard';
import LinkOutlined from '~icons/ic/outline-link';
import LoginOutlined from '~icons/ic/outline-login';
import LogoutOutlined from '~icons/ic/outline-logout';
import PushPinOutlined from '~icons/ic/outline-push-pin';
import TranslateOutlined from '~icons/ic/outline-translate';
import type { SvgIconProps } from '@mui/material/SvgIcon';
import type { ComponentType } from 'react';
import { menuIcons } from '../menu-icons.ts';
import type { Entry } from './entries.ts';

export const entryIcons: Readonly<Record<Entry['icon'], ComponentType<SvgIconProps>>> = {
  ...menuIcons,
  theme: DarkModeOutlined,
  language: TranslateOutlined,
  'full-screen': FullscreenOutlined,
  density: DensitySmallOutlined,
  link: LinkOutlined,
  pin: PushPinOutlined,
  shortcuts: KeyboardOutlined,
  logout: LogoutOutlined,
  home: HomeOutlined,
  login: LoginOutlined,
  register: AppRegistrationOutlined,
};
