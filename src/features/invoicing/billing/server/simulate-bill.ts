// Adds up a bill that does not exist. Nothing is read or stored.
import type { In } from '#kernel/contract.ts';
import { ValidationError } from '#kernel/errors.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { billing } from '../contract.ts';
import type { SimulatedBill } from '../contract-simulation.ts';
import { simulatedBill, simulationMistakes } from '../rules-simulation.ts';

/** @throws ValidationError naming every field that cannot be on a bill. */
export async function simulateBill(
  _ctx: Ctx,
  input: In<typeof billing.simulateBill>,
): Promise<SimulatedBill> {
  const mistakes = simulationMistakes(input);
  if (mistakes.length > 0) throw new ValidationError(mistakes);
  return simulatedBill(input);
}
