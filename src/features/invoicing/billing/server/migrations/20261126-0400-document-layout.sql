-- How a bill's document is laid out: 1 line after line, 2 the lines of a service under its name with their sum. Bills keep the layout
-- with which they were issued, so that the same bill always gives the same document; a console of the last release issues in 1.
alter table bill add column document_layout integer not null default 1;
