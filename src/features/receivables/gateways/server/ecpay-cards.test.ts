// ECPay’s card network and hosts, which only depend on a few characters, so a table covers them.
import { describe, expect, it } from 'vitest';
import { cardHosts } from './ecpay-card-call.ts';
import { brandOf, cardScripts } from './ecpay-cards.ts';

describe('ECPay’s saved cards', () => {
  it.each([
    ['431195', 'visa'],
    ['510000', 'mastercard'],
    ['559999', 'mastercard'],
    ['560000', 'card'],
    ['222099', 'card'],
    ['222100', 'mastercard'],
    ['272099', 'mastercard'],
    ['272100', 'card'],
    ['352800', 'jcb'],
    ['359000', 'card'],
    ['340000', 'amex'],
    ['370000', 'amex'],
    ['620000', 'unionpay'],
    ['', 'card'],
  ])('with %s are %s', (first6, brand) => {
    expect(brandOf(first6)).toBe(brand);
  });

  it.each([
    ['https://payment.ecpay.com.tw', 'https://ecpg.ecpay.com.tw', 'https://ecpayment.ecpay.com.tw', false],
    [
      'https://payment-stage.ecpay.com.tw/',
      'https://ecpg-stage.ecpay.com.tw',
      'https://ecpayment-stage.ecpay.com.tw',
      true,
    ],
    ['http://127.0.0.1:9/', 'http://127.0.0.1:9', 'http://127.0.0.1:9', false],
  ])('with checkouts at %s are at', (base, cards, orders, isTrial) => {
    expect(cardHosts(base)).toEqual({ cards, orders, isTrial });
  });

  it('load no external content but ECPay’s own script', () => {
    const config = {
      merchantId: '1',
      hashKey: 'k',
      hashIv: 'v',
      apiBase: 'https://payment.ecpay.com.tw',
      atm: undefined,
      cvs: undefined,
      remembersCards: false,
      savesCards: true,
    };
    const free = cardScripts(config).filter(({ integrity }) => integrity === null);
    expect(free.map(({ url }) => new URL(url).host)).toEqual(['ecpg.ecpay.com.tw']);
  });
});
