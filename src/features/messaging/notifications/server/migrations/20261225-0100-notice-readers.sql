-- The organization whose notice it is: the reader's when it was posted, '' for the platform's people. Somebody who has left it
-- gets no more messages about it. Null: from before.
alter table notification add column reader_organization_id text;
alter table notification_deleted add column reader_organization_id text;
