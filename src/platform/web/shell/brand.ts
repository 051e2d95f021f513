// The console's displayed brand (the installation's or a reseller's), contact and time zone; set once from
// the system status, with the defaults of R-SHELL-17.
import { create } from 'zustand';
import type { Currency } from '#kernel/money.ts';

export type Brand = {
  readonly name: string;
  readonly companyPrefix: string;
  /** The address for help or access requests; empty when there is none. */
  readonly supportEmail: string;
  /** A reseller's color, `#RRGGBB`; null: the console's own. */
  readonly accent: string | null;
  /** The URL of a reseller's logo; null: the console's own. */
  readonly logo: string | null;
  /** At a reseller's host name: the console's own address, where passkeys and external providers sign in. */
  readonly mainAddress: string | null;
  readonly version: string;
  readonly currency: Currency;
  /** IANA name; screens show days and months in this zone. */
  readonly timeZone: string;
};

export const useBrand = create<Brand>()(() => ({
  name: 'System',
  companyPrefix: '',
  supportEmail: '',
  accent: null,
  logo: null,
  mainAddress: null,
  version: 'v1.0.0',
  currency: 'TWD',
  timeZone: 'Asia/Taipei',
}));
