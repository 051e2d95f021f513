// The pictures of the menu's entries.
import CloudQueueOutlined from '@mui/icons-material/CloudQueueOutlined';
import DashboardOutlined from '@mui/icons-material/DashboardOutlined';
import AppsOutlined from '@mui/icons-material/AppsOutlined';
import InsightsOutlined from '@mui/icons-material/InsightsOutlined';
import Inventory2Outlined from '@mui/icons-material/Inventory2Outlined';
import ManageAccountsOutlined from '@mui/icons-material/ManageAccountsOutlined';
import NotificationsOutlined from '@mui/icons-material/NotificationsOutlined';
import PaymentsOutlined from '@mui/icons-material/PaymentsOutlined';
import PeopleOutlined from '@mui/icons-material/PeopleOutlined';
import PersonOutlined from '@mui/icons-material/PersonOutlined';
import ReceiptLongOutlined from '@mui/icons-material/ReceiptLongOutlined';
import TuneOutlined from '@mui/icons-material/TuneOutlined';
import VerifiedUserOutlined from '@mui/icons-material/VerifiedUserOutlined';
import type { ComponentType } from 'react';
import type { SvgIconProps } from '@mui/material/SvgIcon';
import type { MenuIcon } from '../menu.ts';

export const menuIcons: Record<MenuIcon, ComponentType<SvgIconProps>> = {
  dashboard: DashboardOutlined,
  services: Inventory2Outlined,
  users: PeopleOutlined,
  settings: TuneOutlined,
  permissions: VerifiedUserOutlined,
  overview: AppsOutlined,
  cloud: CloudQueueOutlined,
  billing: PaymentsOutlined,
  chart: InsightsOutlined,
  receipt: ReceiptLongOutlined,
  person: PersonOutlined,
  profile: ManageAccountsOutlined,
  notifications: NotificationsOutlined,
};
