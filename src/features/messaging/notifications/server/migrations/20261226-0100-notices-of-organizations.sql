-- Finds the notices of an organization that their reader has left: few or none among thousands.
create index notification_of_organization on notification (user_id, reader_organization_id);
