-- Changes of settings, for their history: few among all that is kept.
create index audit_log_settings on audit_log (at desc, id desc) where action = 'administration.updateSettings';
