// In which order Vitest takes its files. Without times of an earlier run it begins with the largest ones; but tests of faults are short
// files that mostly wait for what they have killed, so all of them would come last, one beside the other, with idle processors.
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The part of the run in which the last file that waits begins, so that it has ended when all others have. */
const beginsWithin = 0.7;

/** Puts `waiting` among `others` at equal distances, the first one first; both keep their own order. */
export function spread<T>(waiting: readonly T[], others: readonly T[]): T[] {
  const distance = (others.length * beginsWithin) / Math.max(1, waiting.length);
  return [
    ...others.flatMap((other, place) => [
      ...waiting.filter((_, index) => Math.floor(index * distance) === place),
      other,
    ]),
    // Without others there is nothing to put them among.
    ...(others.length === 0 ? waiting : []),
  ];
}

/** Vitest's own order, with the files of faults spread among those of their project. */
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
