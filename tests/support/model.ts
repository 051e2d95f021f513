// A customer's books as plain numbers: the expected result for any order of events. Shares no code with the
// console.

export type ModelBill = {
  readonly month: string;
  readonly number: number;
  readonly lines: readonly { readonly forMonth: string; readonly usage: bigint }[];
  readonly net: bigint;
  readonly tax: bigint;
  /** Whether it was issued before its month was over. */
  readonly isInterim?: boolean;
  isVoid: boolean;
  isReplaced: boolean;
  paid: bigint;
  credited: { net: bigint; tax: bigint; toDue: bigint };
};

export type ModelCharge = { readonly net: bigint; readonly tax: bigint; readonly paid: bigint };

/** Five percent, half away from zero. */
export const taxOf = (net: bigint): bigint => (net < 0n ? -taxOf(-net) : (net * 5n + 50n) / 100n);

/** One customer with a fee of 100 a month and usage at a price in whole dollars. Months are sortable texts. */
export class ModelBooks {
  balance = 0n;
  readonly bills: ModelBill[] = [];
  readonly #usage = new Map<string, bigint>();
  readonly #prices = new Map<string, bigint>();
  readonly #closed = new Set<string>();
  /** Months whose usage may differ from what was billed. */
  readonly #noted = new Set<string>();

  readonly fee: bigint;
  readonly firstPrice: bigint;

  constructor(fee: bigint, firstPrice: bigint) {
    this.fee = fee;
    this.firstPrice = firstPrice;
  }

  total = (bill: ModelBill): bigint => bill.net + bill.tax;
  due = (bill: ModelBill): bigint =>
    bill.isVoid || this.total(bill) <= 0n ? 0n : this.total(bill) - bill.paid - bill.credited.toDue;
  standing = (month: string): ModelBill | undefined =>
    this.bills.find((bill) => bill.month === month && !bill.isVoid && !bill.isInterim);
  owed = (): bigint => this.bills.reduce((sum, bill) => sum + this.due(bill), 0n);
  isClosed = (month: string): boolean => this.#closed.has(month);

  /** Sets the price from a month on. */
  setPrice(month: string, price: bigint): void {
    this.#prices.set(month, price);
  }
  #price(month: string): bigint {
    const last = [...this.#prices.keys()]
      .filter((from) => from <= month)
      .toSorted()
      .at(-1);
    return last === undefined ? this.firstPrice : (this.#prices.get(last) ?? 0n);
  }
  use(month: string, value: bigint, now: string): void {
    this.#usage.set(month, (this.#usage.get(month) ?? 0n) + value);
    if (month < now) this.#noted.add(month);
  }
  /** Records that a month's usage may differ from what was billed. */
  note(month: string, now: string): void {
    if (month < now) this.#noted.add(month);
  }
  /** The fees of a month. */
  feeOf(_month: string): bigint {
    return this.fee;
  }
  cost(month: string): bigint {
    return (this.#usage.get(month) ?? 0n) * this.#price(month);
  }
  /** What the valid bills charge for a month's usage. */
  billed(month: string): bigint {
    return this.bills
      .filter((bill) => !bill.isVoid)
      .flatMap((bill) => bill.lines)
      .filter((line) => line.forMonth === month)
      .reduce((sum, line) => sum + line.usage, 0n);
  }
  /** Whether a month's bill was voided and not replaced. */
  #isNobodys(month: string): boolean {
    return (
      this.bills.some((bill) => bill.month === month && !bill.isInterim) && this.standing(month) === undefined
    );
  }
  /** The usage lines of a month's bill if it were issued now: its own usage, and late usage of earlier months. */
  linesOf(month: string): ModelBill['lines'] {
    const late = [...this.#noted]
      .filter((each) => each < month && this.#closed.has(each) && !this.#isNobodys(each))
      .toSorted();
    return [
      { forMonth: month, usage: this.cost(month) },
      ...late.map((each) => ({ forMonth: each, usage: this.cost(each) - this.billed(each) })),
    ];
  }
  /** What a month's bill would charge now. */
  planned(month: string): ModelCharge {
    return this.priced(month, this.linesOf(month), -1);
  }
  /** What a bill with these lines charges, and how much of it is paid on issue. */
  priced(month: string, lines: ModelBill['lines'], _number: number): ModelCharge {
    const net = lines.reduce((sum, line) => sum + line.usage, this.feeOf(month));
    return { net, tax: taxOf(net), paid: 0n };
  }
  #issue(month: string): ModelBill {
    const lines = this.linesOf(month);
    for (const { forMonth } of lines) if (forMonth !== month) this.#noted.delete(forMonth);
    const bill: ModelBill = {
      month,
      number: this.bills.length,
      lines,
      ...this.priced(month, lines, this.bills.length),
      isVoid: false,
      isReplaced: false,
      credited: { net: 0n, tax: 0n, toDue: 0n },
    };
    this.bills.push(bill);
    if (this.total(bill) < 0n) this.balance -= this.total(bill);
    return bill;
  }
  close(month: string): void {
    if (this.#closed.has(month)) return;
    this.#closed.add(month);
    this.#issue(month);
  }
  mayPay(bill: ModelBill, amount: bigint): boolean {
    return amount > 0n && amount <= this.due(bill) && amount <= this.balance;
  }
  pay(bill: ModelBill, amount: bigint): void {
    bill.paid += amount;
    this.balance -= amount;
  }
  /** Credits an amount: first against what is due, the rest to the balance. */
  takeBack(bill: ModelBill, net: bigint, tax: bigint): void {
    const total = net + tax;
    const due = this.due(bill);
    const toDue = total < due ? total : due;
    bill.credited.net += net;
    bill.credited.tax += tax;
    bill.credited.toDue += toDue > 0n ? toDue : 0n;
    this.balance += toDue > 0n ? total - toDue : total;
  }
  void(bill: ModelBill): void {
    this.takeBack(bill, bill.net - bill.credited.net, bill.tax - bill.credited.tax);
    bill.isVoid = true;
    for (const line of bill.lines) if (line.forMonth !== bill.month) this.#noted.add(line.forMonth);
  }
  reissue(bill: ModelBill): ModelBill {
    bill.isReplaced = true;
    const again = this.#issue(bill.month);
    this.#noted.add(bill.month);
    return again;
  }
}
