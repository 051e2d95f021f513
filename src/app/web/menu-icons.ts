// The icons of the menu's entries.
import AccountBalanceOutlined from '~icons/ic/outline-account-balance';
import AccountBalanceWalletOutlined from '~icons/ic/outline-account-balance-wallet';
import CalculateOutlined from '~icons/ic/outline-calculate';
import CurrencyExchangeOutlined from '~icons/ic/outline-currency-exchange';
import CloudDownloadOutlined from '~icons/ic/outline-cloud-download';
import CloudQueueOutlined from '~icons/ic/outline-cloud-queue';
import ErrorOutlineOutlined from '~icons/ic/outline-error-outline';
import DashboardOutlined from '~icons/ic/outline-dashboard';
import AppsOutlined from '~icons/ic/outline-apps';
import HandymanOutlined from '~icons/ic/outline-handyman';
import InsightsOutlined from '~icons/ic/outline-insights';
import Inventory2Outlined from '~icons/ic/outline-inventory-2';
import KeyOutlined from '~icons/ic/outline-key';
import LocalOfferOutlined from '~icons/ic/outline-local-offer';
import QueryStatsOutlined from '~icons/ic/outline-query-stats';
import MenuBookOutlined from '~icons/ic/outline-menu-book';
import ManageAccountsOutlined from '~icons/ic/outline-manage-accounts';
import NotificationsOutlined from '~icons/ic/outline-notifications';
import PaymentsOutlined from '~icons/ic/outline-payments';
import RequestQuoteOutlined from '~icons/ic/outline-request-quote';
import PeopleOutlined from '~icons/ic/outline-people';
import CompareArrowsOutlined from '~icons/ic/outline-compare-arrows';
import PersonOutlined from '~icons/ic/outline-person';
import ScienceOutlined from '~icons/ic/outline-science';
import RedeemOutlined from '~icons/ic/outline-redeem';
import ReceiptOutlined from '~icons/ic/outline-receipt';
import ReceiptLongOutlined from '~icons/ic/outline-receipt-long';
import StreamOutlined from '~icons/ic/outline-stream';
import SpeedOutlined from '~icons/ic/outline-speed';
import TuneOutlined from '~icons/ic/outline-tune';
import PercentOutlined from '~icons/ic/outline-percent';
import UploadFileOutlined from '~icons/ic/outline-upload-file';
import VerifiedUserOutlined from '~icons/ic/outline-verified-user';
import BackupOutlined from '~icons/ic/outline-backup';
import BusinessOutlined from '~icons/ic/outline-business';
import CampaignOutlined from '~icons/ic/outline-campaign';
import CardMembershipOutlined from '~icons/ic/outline-card-membership';
import DataUsageOutlined from '~icons/ic/outline-data-usage';
import FactCheckOutlined from '~icons/ic/outline-fact-check';
import HowToRegOutlined from '~icons/ic/outline-how-to-reg';
import MonitorHeartOutlined from '~icons/ic/outline-monitor-heart';
import ShieldOutlined from '~icons/ic/outline-shield';
import type { ComponentType } from 'react';
import HandshakeOutlined from '~icons/ic/outline-handshake';
import RequestPageOutlined from '~icons/ic/outline-request-page';
import type { SvgIconProps } from '@mui/material/SvgIcon';
import type { MenuIcon } from '../menu.ts';

export const menuIcons: Record<MenuIcon, ComponentType<SvgIconProps>> = {
  connector: CloudDownloadOutlined,
  stream: StreamOutlined,
  reconciliation: CompareArrowsOutlined,
  dashboard: DashboardOutlined,
  services: Inventory2Outlined,
  meters: SpeedOutlined,
  users: PeopleOutlined,
  settings: TuneOutlined,
  permissions: VerifiedUserOutlined,
  overview: AppsOutlined,
  cloud: CloudQueueOutlined,
  billing: PaymentsOutlined,
  chart: InsightsOutlined,
  receipt: ReceiptLongOutlined,
  discount: LocalOfferOutlined,
  person: PersonOutlined,
  profile: ManageAccountsOutlined,
  notifications: NotificationsOutlined,
  operations: HandymanOutlined,
  charges: RequestQuoteOutlined,
  payments: AccountBalanceWalletOutlined,
  bank: AccountBalanceOutlined,
  einvoice: ReceiptOutlined,
  ledger: MenuBookOutlined,
  accounting: CalculateOutlined,
  rates: CurrencyExchangeOutlined,
  finance: QueryStatsOutlined,
  imports: UploadFileOutlined,
  rejected: ErrorOutlineOutlined,
  keys: KeyOutlined,
  credit: RedeemOutlined,
  quote: RequestPageOutlined,
  commitment: HandshakeOutlined,
  simulator: ScienceOutlined,
  tax: PercentOutlined,
  quota: DataUsageOutlined,
  organization: BusinessOutlined,
  announcement: CampaignOutlined,
  approval: HowToRegOutlined,
  security: ShieldOutlined,
  monitoring: MonitorHeartOutlined,
  audit: FactCheckOutlined,
  licence: CardMembershipOutlined,
  backup: BackupOutlined,
};
