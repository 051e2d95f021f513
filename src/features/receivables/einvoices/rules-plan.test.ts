// The invoices and allowances that bills need: exact in net, tax and total, for any order and sizes (T-EINV).
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  planSteps,
  type BillToCover,
  type NetAndTax,
  type PlannedStep,
  type StandingInvoice,
} from './rules-plan.ts';

const now = '2026-11';
type Made = {
  id: string;
  net: bigint;
  tax: bigint;
  gone: boolean;
  taken: { net: bigint; tax: bigint; source: string }[];
};

/** A bill with its invoices as stored; `plan` applies the plan until nothing is left to do. */
class Simulation {
  readonly made: Made[] = [];
  readonly credits: (NetAndTax & { id: string })[] = [];
  paid = 0n;
  returned = 0n;
  isVoid = false;
  period: string = now;
  readonly billed: NetAndTax;
  readonly hasSeveralKinds: boolean;
  readonly timing: BillToCover['timing'];
  constructor(billed: NetAndTax, timing: BillToCover['timing'], hasSeveralKinds = false) {
    this.billed = billed;
    this.hasSeveralKinds = hasSeveralKinds;
    this.timing = timing;
  }

  left(one: Made): NetAndTax {
    return {
      net: one.taken.reduce((rest, { net }) => rest - net, one.net),
      tax: one.taken.reduce((rest, { tax }) => rest - tax, one.tax),
    };
  }
  standing(): StandingInvoice[] {
    return this.made
      .filter(({ gone }) => !gone)
      .map((one) => ({
        id: one.id,
        left: this.left(one),
        period: this.period,
        hasAllowances: one.taken.length > 0,
        isUnsent: false,
      }));
  }
  plan(period = now): PlannedStep[] {
    const steps = planSteps(
      {
        timing: this.timing,
        billed: this.billed,
        hasSeveralKinds: this.hasSeveralKinds,
        isVoid: this.isVoid,
        isClosed: false,
        credits: this.credits,
        paid: this.paid - this.returned,
        invoices: this.standing(),
      },
      period,
    );
    for (const step of steps) {
      if (step.kind === 'invoice')
        this.made.push({
          id: String(this.made.length),
          net: step.net,
          tax: step.tax,
          gone: false,
          taken: [],
        });
      else {
        const one = this.made.find(({ id }) => id === step.invoiceId);
        if (!one) throw new Error('no invoice');
        if (step.kind === 'allow') one.taken.push({ net: step.net, tax: step.tax, source: step.source });
        else one.gone = true;
      }
    }
    return steps;
  }
  sum(): NetAndTax {
    const standing = this.standing();
    return {
      net: standing.reduce((sum, { left }) => sum + left.net, 0n),
      tax: standing.reduce((sum, { left }) => sum + left.tax, 0n),
    };
  }
}

const bill = fc
  .record({ net: fc.bigInt(1n, 5_000_000n), rate: fc.constantFrom(0n, 5n) })
  .map(({ net, rate }): NetAndTax => ({ net, tax: (net * rate + 50n) / 100n }));

describe('T-EINV: parts of a bill', () => {
  test('on payment, any parts equal the bill exactly in net and tax, and none is negative', () => {
    fc.assert(
      fc.property(bill, fc.array(fc.bigInt(1n, 1_000_000n), { maxLength: 12 }), (billed, payments) => {
        const simulation = new Simulation(billed, 'on_payment');
        const total = billed.net + billed.tax;
        for (const payment of [...payments, total]) {
          const before = simulation.sum();
          const paid = simulation.paid + payment > total ? total - simulation.paid : payment;
          simulation.paid += paid;
          const steps = simulation.plan();
          expect(steps.length).toBe(paid > 0n ? 1 : 0);
          const after = simulation.sum();
          expect(after.net + after.tax - before.net - before.tax).toBe(paid);
          for (const { net, tax } of simulation.made) expect(net >= 0n && tax >= 0n).toBe(true);
        }
        expect(simulation.sum()).toEqual(billed);
        expect(simulation.plan()).toEqual([]);
      }),
    );
  });

  test('on payment a bill of several tax kinds is invoiced completely with its first payment', () => {
    fc.assert(
      fc.property(bill, (billed) => {
        const simulation = new Simulation(billed, 'on_payment', true);
        expect(simulation.plan()).toEqual([]);
        simulation.paid = 1n;
        expect(simulation.plan()).toEqual([{ kind: 'invoice', ...billed, isWhole: true }]);
        simulation.paid = billed.net + billed.tax;
        expect(simulation.plan()).toEqual([]);
      }),
    );
  });

  test('on issue it is invoiced at once, and a repeat adds nothing', () => {
    fc.assert(
      fc.property(bill, (billed) => {
        const simulation = new Simulation(billed, 'on_issue');
        expect(simulation.plan()).toEqual([{ kind: 'invoice', ...billed, isWhole: true }]);
        expect(simulation.plan()).toEqual([]);
      }),
    );
  });

  test('payments, credits and a void in any order: the totals agree, no invoice becomes negative, and nothing remains of a void bill', () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('pay' as const), share: fc.integer({ min: 1, max: 100 }) }),
      fc.record({ kind: fc.constant('credit' as const), share: fc.integer({ min: 1, max: 100 }) }),
      fc.record({ kind: fc.constant('unpay' as const), share: fc.integer({ min: 1, max: 100 }) }),
      fc.record({ kind: fc.constant('look' as const), share: fc.constant(1) }),
    );
    fc.assert(
      fc.property(
        bill,
        fc.constantFrom('on_issue' as const, 'on_payment' as const),
        fc.array(step, { maxLength: 12 }),
        fc.boolean(),
        (billed, timing, actions, isVoidAtEnd) => {
          const simulation = new Simulation(billed, timing);
          let rest = billed;
          let most = 0n;
          for (const { kind, share } of actions) {
            const total = rest.net + rest.tax;
            const paid = simulation.paid - simulation.returned;
            if (kind === 'pay') simulation.paid += ((total - paid) * BigInt(share)) / 100n;
            else if (kind === 'unpay') simulation.paid -= (paid * BigInt(share)) / 100n;
            else if (kind === 'credit') {
              const net = (rest.net * BigInt(share)) / 100n;
              const tax = share === 100 ? rest.tax : billed.net === 0n ? 0n : (billed.tax * net) / billed.net;
              if (net + tax === 0n) continue;
              simulation.credits.push({ id: `c${simulation.credits.length}`, net, tax });
              rest = { net: rest.net - net, tax: rest.tax - tax };
              // It first lowers the amount due; what was paid goes back to the balance.
              const due = total - paid;
              if (net + tax > due) simulation.returned += net + tax - due;
            }
            simulation.plan();
            const now = simulation.paid - simulation.returned;
            most = most > now ? most : now;
            const have = simulation.sum();
            const whole = rest.net + rest.tax;
            if (timing === 'on_issue') expect(have).toEqual(rest);
            else expect(have.net + have.tax).toBe(least(whole, greatest(have.net + have.tax, now)));
            expect(have.net + have.tax >= now).toBe(true);
            for (const one of simulation.made) {
              const left = simulation.left(one);
              expect(left.net >= 0n && left.tax >= 0n).toBe(true);
            }
            expect(simulation.plan()).toEqual([]);
          }
          if (!isVoidAtEnd) return;
          simulation.isVoid = true;
          simulation.plan('2027-01');
          expect(simulation.sum()).toEqual({ net: 0n, tax: 0n });
        },
      ),
      { numRuns: 400 },
    );
  });
});
const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const greatest = (a: bigint, b: bigint): bigint => (a > b ? a : b);

describe('T-EINV: reversing a bill’s invoices', () => {
  const billed = { net: 1000n, tax: 50n };
  test('a void within the two months is a void, and otherwise, or with allowances, an allowance of the rest', () => {
    const soon = new Simulation(billed, 'on_issue');
    soon.plan();
    soon.isVoid = true;
    expect(soon.plan()).toEqual([{ kind: 'void', invoiceId: '0' }]);
    const late = new Simulation(billed, 'on_issue');
    late.plan();
    late.isVoid = true;
    expect(late.plan('2027-01')).toEqual([{ kind: 'allow', invoiceId: '0', source: 'void', ...billed }]);
    const credited = new Simulation(billed, 'on_issue');
    credited.plan();
    credited.credits.push({ id: 'c', net: 100n, tax: 5n });
    expect(credited.plan()).toEqual([{ kind: 'allow', invoiceId: '0', source: 'c', net: 100n, tax: 5n }]);
    credited.isVoid = true;
    expect(credited.plan()).toEqual([{ kind: 'allow', invoiceId: '0', source: 'void', net: 900n, tax: 45n }]);
  });
  test('an unsent invoice is dropped, and an uncertain one is left until its state is known', () => {
    const one = { id: 'x', left: billed, period: null, hasAllowances: false };
    const of = (isUnsent: boolean) =>
      planSteps(
        {
          timing: 'on_issue',
          billed,
          hasSeveralKinds: false,
          isVoid: true,
          isClosed: false,
          credits: [],
          paid: 0n,
          invoices: [{ ...one, isUnsent }],
        },
        now,
      );
    expect(of(true)).toEqual([{ kind: 'drop', invoiceId: 'x' }]);
    expect(of(false)).toEqual([]);
  });
  test('crediting an unpaid rest needs no allowance; crediting a paid part does', () => {
    const simulation = new Simulation(billed, 'on_payment');
    simulation.paid = 525n;
    simulation.plan();
    simulation.credits.push({ id: 'c', net: 500n, tax: 25n });
    expect(simulation.plan()).toEqual([]);
    simulation.credits.push({ id: 'd', net: 100n, tax: 5n });
    simulation.returned = 105n;
    expect(simulation.plan()).toEqual([{ kind: 'allow', invoiceId: '0', source: 'd', net: 100n, tax: 5n }]);
  });
});
