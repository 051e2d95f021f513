-- An organization that is closed: its people do not get in, nobody joins it, and its keys are dead. Its books stay.

alter table organization
  add column closed_at timestamptz,
  add column closed_reason text not null default '';
