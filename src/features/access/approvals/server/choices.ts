// What the app provides to approvals: which calls can require approval, their subjects, and how they run.
import type { Language } from '#kernel/language.ts';
import type { Ctx, App } from '#platform/server/unit-of-work/ctx.ts';
import type { CallPermissions, Withdrawn } from '#platform/server/http/admission.ts';
import type { HoldableCall } from '#platform/server/http/held-calls.ts';
import type { ChoiceName } from '../contract.ts';

export type Choice = {
  /** The calls, as feature.verb. */
  readonly calls: readonly string[];
  /** Whether a call with this input requires approval; without it, every call does. */
  readonly concerns?: (app: App, call: string, input: unknown) => Promise<boolean>;
};
export type Choices = Readonly<Record<ChoiceName, Choice>>;

/** The dependencies that the app passes to the feature. */
export type Console = {
  readonly choices: Choices;
  /** Describes the subject of a call in a language; null when nothing more is known. */
  readonly subjectOf: (
    ctx: Ctx,
    call: string,
    fields: Readonly<Record<string, unknown>>,
    language: Language,
  ) => Promise<string | null>;
  /** The names behind ids of any kind, by id; unknown ids are missing. */
  readonly namesOf: (ctx: Ctx, ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  readonly callOf: (name: string) => HoldableCall;
  readonly rights: CallPermissions & { readonly isWithdrawn: Withdrawn };
};
