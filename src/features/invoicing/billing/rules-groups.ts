// Groups the lines of a bill by service: a service with several lines has a heading with their sum.
import { sumMoney, type Currency, type Money } from '#kernel/money.ts';
import type { BillLine } from './contract.ts';

/** The lines of one service of a subscription; `subtotal` only if there are several. */
export type LineGroup<L> = {
  readonly key: string;
  readonly serviceName: string;
  readonly lines: readonly L[];
  readonly subtotal: Money | undefined;
};

/** Groups lines in the order in which services, and the charges of each, first occur. */
export function groupLines<
  L extends Pick<BillLine, 'id' | 'subscriptionId' | 'serviceName' | 'charge' | 'total'>,
>(lines: readonly L[], currency: Currency): LineGroup<L>[] {
  const services = Map.groupBy(
    lines,
    // A line without a subscription is a group of its own.
    ({ id, subscriptionId, serviceName }) =>
      subscriptionId === null ? `line ${id}` : `${subscriptionId} ${serviceName}`,
  );
  return [...services].map(([key, own]) => {
    const ofCharges = [...Map.groupBy(own, ({ charge }) => charge?.key).values()].flat();
    return {
      key,
      serviceName: own[0]?.serviceName ?? '',
      lines: ofCharges,
      subtotal:
        own.length > 1
          ? sumMoney(
              own.map(({ total }) => total),
              currency,
            )
          : undefined,
    };
  });
}
