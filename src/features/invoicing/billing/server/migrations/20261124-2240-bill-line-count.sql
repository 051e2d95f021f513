-- How many lines a bill has, so that a file of a hundred thousand of them can begin at once: it says its length before its first row.
-- Null on bills of before: theirs are counted.

alter table bill add column line_count integer;
