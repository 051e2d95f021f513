// Computes a simulated bill. Reads and stores nothing.
import type { In } from '#kernel/contract.ts';
import { ValidationError } from '#kernel/errors.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { billing } from '../contract.ts';
import type { SimulatedBill } from '../contract-simulation.ts';
import { simulatedBill, simulationMistakes } from '../rules-simulation.ts';

/** @throws ValidationError naming every invalid field. */
export async function simulateBill(
  _ctx: Ctx,
  input: In<typeof billing.simulateBill>,
): Promise<SimulatedBill> {
  const mistakes = simulationMistakes(input);
  if (mistakes.length > 0) throw new ValidationError(mistakes);
  return simulatedBill(input);
}
