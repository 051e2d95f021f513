// The catalogue as one file for version control: its contents, and what applying it would do.
import * as z from 'zod/mini';
import { planActions, PlannedChange } from '#kernel/file-plan.ts';
import { id, instant } from '#kernel/shape.ts';

/** The version of the file format. */
export const fileVersion = 1;
/** The maximum number of meters in a file. */
export const maxFileMeters = 500;
/** The maximum number of services in a file. */
export const maxFileServices = 2000;

/** What applying a file would do to one service. */
export const PlannedService = z.strictObject({
  name: z.string(),
  ref: z.nullable(z.string()),
  /** Null if it would be created. */
  serviceId: z.nullable(id('svc')),
  action: z.enum(planActions),
  newPrice: z.boolean(),
  /** When a new price would start; null: when the file is applied. */
  newPriceFrom: z.nullable(instant),
  changes: z.array(PlannedChange),
});
export type PlannedService = z.output<typeof PlannedService>;
/** A meter of the file: to be created, or existing with the same definition. */
export const PlannedMeter = z.strictObject({
  key: z.string(),
  name: z.string(),
  action: z.enum(['create', 'unchanged']),
});
export type PlannedMeter = z.output<typeof PlannedMeter>;
/** What applying a file would do. Services not in the file are unchanged. */
export const CataloguePlan = z.strictObject({
  /**
   * Identifies this plan: applying it is refused if the catalogue has changed since, so that nothing happens
   * that nobody has seen.
   */
  planId: z.string(),
  created: z.int(),
  updated: z.int(),
  unchanged: z.int(),
  /** Services of the console that are not in the file. */
  notNamed: z.int(),
  meters: z.array(PlannedMeter),
  services: z.array(PlannedService),
});
export type CataloguePlan = z.output<typeof CataloguePlan>;
