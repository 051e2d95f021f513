-- A group may give a custom role: `role` is then the built-in one that it narrows.
alter table identity_provider_group add column custom_role_id text;
alter table identity_provider_group add constraint identity_provider_group_custom_role foreign key (custom_role_id, role) references custom_role (id, base_role);
