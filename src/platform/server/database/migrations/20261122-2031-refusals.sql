-- Ways in that were refused, for the security page: few among all that is kept.
create index audit_log_refused on audit_log (at desc, id desc) where action in ('signin.refused', 'federation.refused');
