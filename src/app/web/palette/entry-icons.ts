// The pictures of the palette's entries: the menu's own, and those of actions.
import AppRegistrationOutlined from '@mui/icons-material/AppRegistrationOutlined';
import DarkModeOutlined from '@mui/icons-material/DarkModeOutlined';
import DensitySmallOutlined from '@mui/icons-material/DensitySmallOutlined';
import FullscreenOutlined from '@mui/icons-material/FullscreenOutlined';
import HomeOutlined from '@mui/icons-material/HomeOutlined';
import KeyboardOutlined from '@mui/icons-material/KeyboardOutlined';
import LinkOutlined from '@mui/icons-material/LinkOutlined';
import LoginOutlined from '@mui/icons-material/LoginOutlined';
import LogoutOutlined from '@mui/icons-material/LogoutOutlined';
import PushPinOutlined from '@mui/icons-material/PushPinOutlined';
import TranslateOutlined from '@mui/icons-material/TranslateOutlined';
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
