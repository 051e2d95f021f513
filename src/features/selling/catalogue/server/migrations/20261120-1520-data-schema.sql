-- A meter may say what an event's data must look like: a JSON Schema, as its author wrote it (json, not jsonb: the order stays).
alter table service add column data_schema json;
