-- The custom role that an invited person gets, so that nobody has the whole built-in one until somebody narrows it.
alter table invitation add column custom_role_id text;
alter table invitation add constraint invitation_custom_role foreign key (custom_role_id, role) references custom_role (id, base_role);
