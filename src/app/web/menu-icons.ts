// The pictures of the menu's entries.
import AccountBalanceOutlined from '@mui/icons-material/AccountBalanceOutlined';
import AccountBalanceWalletOutlined from '@mui/icons-material/AccountBalanceWalletOutlined';
import CloudQueueOutlined from '@mui/icons-material/CloudQueueOutlined';
import ErrorOutlineOutlined from '@mui/icons-material/ErrorOutlineOutlined';
import DashboardOutlined from '@mui/icons-material/DashboardOutlined';
import AppsOutlined from '@mui/icons-material/AppsOutlined';
import HandymanOutlined from '@mui/icons-material/HandymanOutlined';
import InsightsOutlined from '@mui/icons-material/InsightsOutlined';
import Inventory2Outlined from '@mui/icons-material/Inventory2Outlined';
import KeyOutlined from '@mui/icons-material/KeyOutlined';
import MenuBookOutlined from '@mui/icons-material/MenuBookOutlined';
import ManageAccountsOutlined from '@mui/icons-material/ManageAccountsOutlined';
import NotificationsOutlined from '@mui/icons-material/NotificationsOutlined';
import PaymentsOutlined from '@mui/icons-material/PaymentsOutlined';
import PeopleOutlined from '@mui/icons-material/PeopleOutlined';
import PersonOutlined from '@mui/icons-material/PersonOutlined';
import ReceiptLongOutlined from '@mui/icons-material/ReceiptLongOutlined';
import TuneOutlined from '@mui/icons-material/TuneOutlined';
import UploadFileOutlined from '@mui/icons-material/UploadFileOutlined';
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
  operations: HandymanOutlined,
  payments: AccountBalanceWalletOutlined,
  bank: AccountBalanceOutlined,
  ledger: MenuBookOutlined,
  imports: UploadFileOutlined,
  rejected: ErrorOutlineOutlined,
  keys: KeyOutlined,
};
