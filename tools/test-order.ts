// The order in which Vitest runs its files. Without timings of an earlier run it starts with the largest; but
// fault tests are short files that mostly wait for what they killed, so all of them would run last, next to
// each other, with idle processors.
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The fraction of the run within which the last waiting file must start, so that it ends before all others have. */
const beginsWithin = 0.7;

/** Distributes `waiting` evenly among `others`, starting with the first; both keep their order. */
export function spread<T>(waiting: readonly T[], others: readonly T[]): T[] {
  const distance = (others.length * beginsWithin) / Math.max(1, waiting.length);
  return [
    ...others.flatMap((other, place) => [
      ...waiting.filter((_, index) => Math.floor(index * distance) === place),
      other,
    ]),
    // Without others there is nothing to distribute them among.
    ...(others.length === 0 ? waiting : []),
  ];
}

/** Vitest's own order, but with the fault tests distributed among the files of their project. */
export class SpreadSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return [...Map.groupBy(sorted, ({ project }) => project.name).values()].flatMap((ofProject) =>
      spread(
        ofProject.filter(({ moduleId }) => moduleId.includes('/tests/faults/')),
        ofProject.filter(({ moduleId }) => !moduleId.includes('/tests/faults/')),
      ),
    );
  }
}
