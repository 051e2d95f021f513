-- Closes that can be stopped, are known to be interrupted, and can be rehearsed: a preview is a run that issues nothing.

alter table close_run
  add column kind text not null default 'close' check (kind in ('close', 'preview')),
  add column progress_at timestamptz,
  add column stop_asked boolean not null default false,
  -- What a preview found: totals by currency, and who stands out.
  add column report jsonb,
  drop constraint close_run_state_check,
  add constraint close_run_state_check check (state in ('running', 'done', 'stopped'));
update close_run set progress_at = coalesce(finished_at, started_at);
alter table close_run alter column progress_at set not null;
